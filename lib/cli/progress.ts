/**
 * One line on stderr that says how far the work is, after the first second and a few times a second. Silent where
 * nobody looks on.
 */
export class Progress {
  readonly #write: ((text: string) => void) | null
  readonly #now: () => number
  #begun = 0
  #shown = Number.NEGATIVE_INFINITY
  #visible = false

  /** `write` null: show nothing. `now`: milliseconds. */
  constructor(write: ((text: string) => void) | null, now: () => number = () => performance.now()) {
    this.#write = write
    this.#now = now
    this.#begun = now()
  }

  /** "reading pictures 34/210". */
  show(what: string, done: number, total: number): void {
    if (this.#write === null) return
    const now = this.#now()
    if (now - this.#begun < 1000 || now - this.#shown < 100) return
    this.#shown = now
    this.#visible = true
    this.#write(`\r\x1b[2K${what} ${done}/${total}`)
  }

  /** Takes the line away; to be called before anything else is written. */
  clear(): void {
    if (this.#write === null || !this.#visible) return
    this.#visible = false
    this.#shown = Number.NEGATIVE_INFINITY
    this.#write('\r\x1b[2K')
  }
}
