/** Whether two tasks are the same words; a task that is not known is no other task. */
export function sameTask(a: string | null | undefined, b: string | null | undefined): boolean {
  return a == null || b == null || normalized(a) === normalized(b)
}

/** Space and letter forms come and go between recorders. */
function normalized(task: string): string {
  return task.normalize('NFC').replace(/\s+/g, ' ').trim()
}
