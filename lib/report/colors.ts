/** Paints text for a terminal, or gives it back as it is. Made once where the program begins (picocolors has this shape). */
export type Colors = Record<Paint, (text: string) => string>

export type Paint = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

const asItIs = (text: string) => text

export const NO_COLORS: Colors = {
  bold: asItIs,
  dim: asItIs,
  red: asItIs,
  green: asItIs,
  yellow: asItIs,
  cyan: asItIs,
}
