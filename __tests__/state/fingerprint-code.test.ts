import { crc32 } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Component, Fingerprint } from '../../lib/state/fingerprint.js'
import { decodeFingerprint, encodeFingerprint } from '../../lib/state/fingerprint-code.js'

const size = fc.integer({ min: 1, max: 100_000_000 })
const digest = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex'))
const component: fc.Arbitrary<Component> = fc.record({
  shape: fc.maxSafeNat().map((n) => n % 2 ** 52),
  look: fc.nat(0xffffffff),
  x: fc.nat(100_000_000),
  y: fc.nat(100_000_000),
  width: size,
  height: size,
})
const fingerprint: fc.Arbitrary<Fingerprint> = fc
  .record({
    sha256: digest,
    width: size,
    height: size,
    scale: fc.double({ min: 1, max: 1e6, noNaN: true }),
    blockhash: digest,
    colours: fc.array(fc.nat(0x202020), { maxLength: 10 }),
    components: fc.array(component, { maxLength: 30 }).map((all) => all.sort((a, b) => a.y - b.y)),
    columns: fc.integer({ min: 1, max: 20 }),
    luma: fc.uint8Array({ minLength: 20, maxLength: 300 }),
  })
  .map(({ columns, luma, ...rest }) => {
    const height = Math.floor(luma.length / columns)
    return { ...rest, thumbnail: { width: columns, height, luma: luma.slice(0, columns * height) } }
  })

describe('fingerprint code', () => {
  test('there and back', () => {
    fc.assert(fc.property(fingerprint, (one) => expect(decodeFingerprint(encodeFingerprint(one))).toEqual(one)))
  })

  test('every damaged byte and every missing end is seen', () => {
    const code = encodeFingerprint(fc.sample(fingerprint, { numRuns: 1, seed: 3 })[0]!)
    for (let i = 0; i < code.length; i++) {
      const damaged = Buffer.from(code)
      damaged[i]! ^= 1 << (i % 8)
      expect(decodeFingerprint(damaged)).toBeUndefined()
      expect(decodeFingerprint(code.subarray(0, i))).toBeUndefined()
    }
    expect(decodeFingerprint(Buffer.concat([code, Buffer.of(0)]))).toBeUndefined()
  })

  test('another version is not read, however whole it is', () => {
    const code = Buffer.from(encodeFingerprint(fc.sample(fingerprint, { numRuns: 1, seed: 4 })[0]!))
    code.writeUInt32LE(code.readUInt32LE(4) + 1, 4)
    code.writeUInt32LE(crc32(code.subarray(12)), 8)
    expect(decodeFingerprint(code)).toBeUndefined()
  })
})
