import type { Component, Fingerprint } from '../state/fingerprint.js'

export interface ChangedComponents {
  /** Components of either picture without an equal one at the same place in the other. */
  readonly count: number
  /** Of these, those whose shape stands elsewhere in the other picture. */
  readonly moved: number
  /** Share of the 16-pixel cells of the larger picture that changed components touch, 0 to 1. */
  readonly area: number
}

const CELL = 16

/** What differs between two pictures in any one place: the local evidence that global measures lack. O(components). */
export function changedComponents(a: Fingerprint, b: Fingerprint): ChangedComponents {
  const width = Math.max(a.width / a.scale, b.width / b.scale)
  const height = Math.max(a.height / a.scale, b.height / b.scale)
  const columns = Math.ceil(width / CELL)
  const touched = new Uint8Array(columns * Math.ceil(height / CELL))
  let count = 0
  let moved = 0
  for (const [own, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const places = new Set(other.components.map(placeOf))
    const shapes = new Set(other.components.map(({ shape }) => shape))
    for (const component of own.components) {
      if (places.has(placeOf(component))) continue
      count++
      if (shapes.has(component.shape)) moved++
      for (let y = component.y; y < component.y + component.height + CELL; y += CELL) {
        for (let x = component.x; x < component.x + component.width + CELL; x += CELL) {
          const column = Math.floor(Math.min(x, component.x + component.width - 1) / CELL)
          const row = Math.floor(Math.min(y, component.y + component.height - 1) / CELL)
          touched[row * columns + column] = 1
        }
      }
    }
  }
  return {
    count,
    moved,
    area: touched.length === 0 ? 0 : touched.reduce((sum, cell) => sum + cell, 0) / touched.length,
  }
}

function placeOf({ x, y, shape, look }: Component): string {
  return `${x},${y},${shape},${look}`
}
