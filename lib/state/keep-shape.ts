/**
 * Keeps an object for good. V8 makes code for the shapes of objects that it has met, and throws the code away when the last
 * object of a shape is collected. Pictures come with so much memory that this happens every few dozen of them, and the
 * kernels would start again as slowly as at first: so one small object of each shape that they work on stays.
 */
export function keepShape(one: object): void {
  kept.push(one)
}

const kept: object[] = []
