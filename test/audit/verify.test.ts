import { describe, expect, it } from 'vitest'
import { parseHead, sealHead } from '../../engine/sources/state/chain.ts'
import { computeSha256 } from '../../engine/sources/state/seal.ts'
import fc from '../made/property.ts'
import { KEY, LOG_ID, type Made, makeLog, OTHER_KEY, verify } from '../sources/state/logs.ts'

/** Verifies a log of ten entries after somebody was at it. */
function faultAfter(meddle: (log: Made) => void) {
  const log = makeLog(10)
  meddle(log)
  return verify(log).fault
}

describe('a log that nobody touched', () => {
  it.each([0, 1, 10])('of %i entries is intact', count => {
    expect(verify(makeLog(count))).toEqual({ entries: count, first_seq: Math.min(count, 1), last_seq: count })
  })
})

describe('the first bad entry is named with its kind', () => {
  it('where a word of an entry was changed', () => {
    expect(
      faultAfter(log => {
        log.texts[3] = log.texts[3]!.replace('TS-4', 'TS-5')
      }),
    ).toMatchObject({
      kind: 'edited',
      seq: 4,
    })
  })

  it('where the decision of the last entry was changed', () => {
    expect(
      faultAfter(log => {
        log.texts[9] = log.texts[9]!.replace('allowed', 'refused')
      }),
    ).toMatchObject({
      kind: 'edited',
      seq: 10,
    })
  })

  it('where an entry is no JSON any more', () => {
    expect(
      faultAfter(log => {
        log.texts[0] = log.texts[0]!.slice(0, -20)
      }),
    ).toMatchObject({ kind: 'edited', seq: 1 })
  })

  it('where the signature itself was changed', () => {
    const flip = (text: string) =>
      text.replace(/:([0-9a-f])([0-9a-f]{63})"/, (_, a, rest) => `:${a === '0' ? '1' : '0'}${rest}"`)
    expect(
      faultAfter(log => {
        log.texts[5] = flip(log.texts[5]!)
      }),
    ).toMatchObject({ kind: 'edited', seq: 6 })
  })

  it('where an entry in the middle was deleted', () => {
    expect(faultAfter(log => void log.texts.splice(4, 1))).toMatchObject({ kind: 'deleted', seq: 5 })
  })

  it('where several entries were deleted', () => {
    expect(faultAfter(log => void log.texts.splice(2, 4))).toMatchObject({
      kind: 'deleted',
      seq: 3,
      message: 'Entries 3 to 6 are missing.',
    })
  })

  it('where the beginning was deleted', () => {
    expect(faultAfter(log => void log.texts.splice(0, 3))).toMatchObject({ kind: 'deleted', seq: 1 })
  })

  it('where two entries changed places', () => {
    expect(
      faultAfter(({ texts }) => {
        ;[texts[4], texts[6]] = [texts[6]!, texts[4]!]
      }),
    ).toMatchObject({
      kind: 'reordered',
      seq: 5,
    })
  })

  it('where the first entry was put elsewhere', () => {
    expect(faultAfter(({ texts }) => void texts.splice(5, 0, texts.shift()!))).toMatchObject({
      kind: 'reordered',
      seq: 1,
    })
  })

  it('where the end was cut off', () => {
    expect(faultAfter(log => void log.texts.splice(8))).toMatchObject({ kind: 'truncated', seq: 9 })
  })

  it('where everything was removed but the head', () => {
    expect(
      faultAfter(log => {
        log.texts.length = 0
      }),
    ).toMatchObject({ kind: 'truncated', seq: 1 })
  })

  it('where an entry is there twice in a row', () => {
    expect(faultAfter(({ texts }) => void texts.splice(5, 0, texts[4]!))).toMatchObject({ kind: 'duplicated', seq: 5 })
  })

  it('where an earlier entry stands in for a later one', () => {
    expect(
      faultAfter(({ texts }) => {
        texts[7] = texts[1]!
      }),
    ).toMatchObject({ kind: 'duplicated', seq: 2 })
  })

  it('where an entry was added again at the end', () => {
    expect(faultAfter(({ texts }) => void texts.push(texts[2]!))).toMatchObject({ kind: 'duplicated', seq: 3 })
  })

  it('where all of it was signed anew with a key of somebody’s own', () => {
    expect(verify(makeLog(10, { key: OTHER_KEY })).fault).toMatchObject({ kind: 'unknown_key', seq: 1 })
  })

  it('where it was signed anew under the name of the known key', () => {
    const forged = makeLog(10, { key: { id: KEY.id, bytes: OTHER_KEY.bytes } })
    expect(verify(forged).fault).toMatchObject({ kind: 'unknown_key', seq: 1 })
  })

  it('where entries were appended with another key', () => {
    const { texts, head } = makeLog(10, { key: OTHER_KEY })
    const sound = makeLog(10).texts.slice(0, 6)
    expect(verify({ texts: [...sound, ...texts.slice(6)], head }).fault).toMatchObject({ kind: 'unknown_key', seq: 7 })
  })

  it('where the head is missing', () => {
    expect(
      faultAfter(log => {
        log.head = undefined
      }),
    ).toMatchObject({ kind: 'forged_head' })
  })

  it('where the head was changed to hide a cut end', () => {
    const cut = (log: Made) => {
      log.texts.splice(8)
      log.head = log
        .head!.replace('"seq":10', '"seq":8')
        .replace(/"hash":"[0-9a-f]+"/, `"hash":"${computeSha256(log.texts[7]!)}"`)
    }
    expect(faultAfter(cut)).toMatchObject({ kind: 'forged_head' })
  })

  it('where the head is an older one of this log', () => {
    expect(
      faultAfter(log => {
        log.head = makeLog(8).head
      }),
    ).toMatchObject({ kind: 'forged_head' })
  })

  it('where the head was signed with another key', () => {
    expect(
      faultAfter(log => {
        log.head = sealHead(parseHead(log.head!)!, OTHER_KEY)
      }),
    ).toMatchObject({
      kind: 'unknown_key',
    })
  })

  it('where the log is that of another repository with the same key', () => {
    const other = makeLog(10, { id: 'f'.repeat(16) })
    const { head } = makeLog(10)
    expect(verify({ texts: other.texts, head }).fault).toMatchObject({ kind: 'replaced' })
  })
})

describe('a key that was changed', () => {
  it('still verifies what it signed as long as it is known', () => {
    expect(verify(makeLog(10, { key: OTHER_KEY }), [KEY, OTHER_KEY]).fault).toBeUndefined()
  })
})

describe('an anchor', () => {
  const mark = { log_id: LOG_ID, seq: 5, hash: computeSha256(makeLog(10).texts[4]!) }

  it('holds for the log that it was taken of', () => {
    expect(verify(makeLog(10), [KEY], [mark]).fault).toBeUndefined()
  })

  it('finds a change that somebody with the key has signed anew', () => {
    const rewritten = makeLog(10, { target: seq => (seq === 2 ? 'TS-other' : `TS-${seq}`) })
    expect(verify(rewritten).fault).toBeUndefined()
    expect(verify(rewritten, [KEY], [mark]).fault).toMatchObject({ kind: 'anchor_mismatch', seq: 5 })
  })

  it('finds a log that was put back to before it, head and all', () => {
    expect(verify(makeLog(4), [KEY], [mark]).fault).toMatchObject({ kind: 'truncated', seq: 5 })
  })

  it('finds another log in its place', () => {
    expect(verify(makeLog(10, { id: 'f'.repeat(16) }), [KEY], [mark]).fault).toMatchObject({ kind: 'replaced' })
  })
})

describe('whatever is changed', () => {
  it('a flipped character anywhere in the entries is found, and never before its entry', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5 }), fc.nat(), fc.integer({ min: 1, max: 94 }), (index, place, by) => {
        const log = makeLog(6)
        const text = log.texts[index]!
        const at = place % text.length
        const code = ((text.charCodeAt(at) - 32 + by) % 95) + 32
        log.texts[index] = text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1)
        const { fault } = verify(log)
        expect(fault).toBeDefined()
        expect(['edited', 'unknown_key']).toContain(fault!.kind)
      }),
      { numRuns: 300 },
    )
  })
})
