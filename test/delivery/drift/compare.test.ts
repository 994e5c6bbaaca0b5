import { describe, expect, it } from 'vitest'
import { compareDigests } from '../../../engine/delivery/drift/compare.ts'
import {
  type ConfirmedDigest,
  type ConfirmedPlace,
  formatDigest,
  parseDigest,
} from '../../../engine/delivery/drift/confirmed.ts'
import fc from '../../made/property.ts'

const hex = (digit: string) => digit.repeat(16)
const place = (path: string, more: Partial<ConfirmedPlace> = {}): ConfirmedPlace => ({
  ...{ kind: 'code', path, oid: hex('a'), structure: hex('b'), tree: hex('c') },
  ...more,
})
const digest = (...places: ConfirmedPlace[]): ConfirmedDigest => ({ text: hex('0'), places })
const types = (a: ConfirmedDigest, b: ConfirmedDigest) => compareDigests(a, b).map(({ type }) => type)

describe('drift', () => {
  it('is none where nothing but the layout changed', () => {
    expect(types(digest(place('a.ts')), digest(place('a.ts', { oid: hex('d') })))).toEqual([])
  })

  it('is structural where a signature changed, or code or a test is gone', () => {
    const changed = place('a.ts', { oid: hex('d'), structure: hex('e') })
    expect(types(digest(place('a.ts')), digest(changed))).toEqual(['structural'])
    expect(types(digest(place('a.ts'), { kind: 'test', path: 'a.test.ts' }), digest())).toEqual([
      'structural',
      'structural',
    ])
  })

  it('is behavioral, and not certain, where only a body changed', () => {
    const changed = place('a.ts', { oid: hex('d'), tree: hex('e') })
    expect(compareDigests(digest(place('a.ts')), digest(changed))).toMatchObject([
      { type: 'behavioral', isCertain: false },
    ])
  })

  it('is cross-file where an imported interface changed, or code moved', () => {
    const imported = { kind: 'import', path: 'b.ts', structure: hex('1') } as const
    expect(types(digest(imported), digest({ ...imported, structure: hex('2') }))).toEqual(['cross_file'])
    expect(compareDigests(digest(place('a.ts')), digest(place('c.ts')))).toMatchObject([
      { type: 'cross_file', file: 'c.ts', message: 'a.ts moved to c.ts.' },
    ])
  })

  it('is about acceptance criteria where the words of the requirement changed', () => {
    expect(types(digest(), { ...digest(), text: hex('1') })).toEqual(['acceptance_criteria'])
  })
})

it('reads back every digest that it writes, whatever the paths are', () => {
  const name = fc.string({ minLength: 1, unit: 'grapheme' }).filter(text => text.trim() !== '')
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.option(name, { nil: undefined })), { maxLength: 5 }), names => {
      const places = names.map(([path, symbol]) => place(path, symbol === undefined ? {} : { symbol }))
      const written = digest(
        ...places,
        { kind: 'test', path: 'a b.ts' },
        { kind: 'import', path: 'c#d=.ts', structure: hex('1') },
      )
      expect(parseDigest(formatDigest(written))).toEqual(written)
    }),
  )
})

it('reads no digest that another tool wrote', () => {
  expect(parseDigest('sha256:abc')).toBeUndefined()
  expect(parseDigest(`1 ${hex('0')} c:%zz=a.b.c`)).toBeUndefined()
})
