/** RGBA only, even `bits` only; the answer is bits * bits / 4 hex digits. */
export function bmvbhash(image: { data: ArrayLike<number>; width: number; height: number }, bits: number): string
