import { createReadStream } from 'node:fs'
import { InputError, type Place } from '../input-error.js'
import { fileError } from './file-error.js'

export interface Line {
  /** From 1. */
  readonly number: number
  /** Without the line feed; a carriage return before it is still there. */
  readonly bytes: Buffer
}

/** 64 MiB. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024

/**
 * The lines of a file, one at a time, so that a file of any size is read in the memory of its longest line.
 * Bytes, not text: a file cut off inside a character must not spoil what came before.
 * Throws InputError `trace-line-too-long` or `path-unreadable`.
 */
export async function* readLines(file: string, maxBytes = MAX_LINE_BYTES): AsyncGenerator<Line, void> {
  const stream = createReadStream(file, { highWaterMark: 256 * 1024 })
  let number = 1
  let pieces: Buffer[] = []
  let length = 0
  const keep = (piece: Buffer) => {
    length += piece.length
    if (length > maxBytes) throw lineTooLong({ file, line: number }, maxBytes)
    pieces.push(piece)
  }
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      let start = 0
      for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
        keep(chunk.subarray(start, end))
        yield { number, bytes: joinPieces(pieces) }
        number++
        pieces = []
        length = 0
        start = end + 1
      }
      if (start < chunk.length) keep(chunk.subarray(start))
    }
    if (length > 0) yield { number, bytes: joinPieces(pieces) }
  } catch (error) {
    throw fileError(error, file)
  } finally {
    stream.destroy()
  }
}

const LINE_FEED = 0x0a

function joinPieces(pieces: readonly Buffer[]): Buffer {
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
}

export function lineTooLong(place: Place, maxBytes = MAX_LINE_BYTES): InputError {
  const what = `this line is longer than ${maxBytes / 1024 / 1024} MiB`
  const advice = 'A step must not hold its picture: save that as a file and name it in `screenshot`'
  return new InputError('trace-line-too-long', what, place, advice)
}
