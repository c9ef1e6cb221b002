import { describe, expect, test } from '@jest/globals'
import { InputError } from '../../lib/input-error.js'
import { parseLine } from '../../lib/trace/native-line.js'

describe('numbers beyond the range of JSON', () => {
  const parse = (text: string) => parseLine(text, { file: 'trace.jsonl', line: 2 })

  test.each(['1e999', '-1E+400', '1'.repeat(400)])('%s is refused with its line', (number) => {
    const line = `{"type":"step","result":{"rows":[{"n":${number}}]}}`
    expect(() => parse(line)).toThrow(InputError)
    expect(() => parse(line)).toThrow(/trace\.jsonl:2: A number is too large/)
  })

  test.each(['1e300', '"1e999"', '1e-999'])('%s is taken', (value) => {
    expect(parse(`{"type":"step","result":${value}}`)).toHaveProperty('result')
  })
})
