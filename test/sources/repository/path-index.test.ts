import { describe, expect, it } from 'vitest'
import { compileGlob } from '../../../engine/base/text/glob.ts'
import { PathIndex } from '../../../engine/sources/repository/path-index.ts'
import fc from '../../made/property.ts'

const PIECES = ['a', 'b', 'ab', '.js', 'package.json', '.github']
const path = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 4 }).map(parts => parts.join('/'))
const glob = fc
  .array(fc.constantFrom(...PIECES, '*', '**', '?', '/', '/**', '**/', '[ab]', '{a,b}', '\\a'), {
    minLength: 1,
    maxLength: 5,
  })
  .map(parts => parts.join(''))

describe('an index of paths', () => {
  it('gives the files that the globs take, as asking each path of each glob would', () => {
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 20 }), fc.array(glob, { maxLength: 3 }), (paths, globs) => {
        const takes = globs.map(compileGlob)
        const asked = paths.filter(one => takes.length === 0 || takes.some(take => take(one)))
        const found = [...new PathIndex(paths.map(path => ({ path }))).matching(globs)]
        expect(found.map(({ path }) => path).sort()).toEqual(asked.sort())
      }),
      { numRuns: 2000 },
    )
  })

  it('gives a file once that several alternatives of one glob take', () => {
    const files = [{ path: 'a/ab/a' }]
    expect([...new PathIndex(files).matching(['a/**{a,b}*/**'])]).toEqual(files)
  })
})
