import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { WEAKNESS_RULES } from '../../engine/base/records/weakness-rules.gen.ts'
import { loadBuiltinPacks } from '../../engine/sources/packs/load.ts'
import { compareVerdicts, formatRows, parseVerdicts, readTrees, readVerdicts } from '../../scripts/accuracy/verdicts.ts'
import { ROOT, textOf } from '../root.ts'
import { projectFiles } from '../sources.ts'

const FOLDER = join(ROOT, 'bench/accuracy')
const HEAD = 'id,tree,rule,path,line,verdict,reason'

describe('bench/accuracy', () => {
  const trees = readTrees(FOLDER)
  const verdicts = readVerdicts(FOLDER)

  it('has a tree for every verdict, and a verdict for every tree without a digest', () => {
    const names = new Set(trees.map(({ name }) => name))
    expect(verdicts.filter(({ tree }) => !names.has(tree))).toEqual([])
    const judged = new Set(verdicts.map(({ tree }) => tree))
    expect(trees.filter(({ name, integrity }) => !integrity && !judged.has(name))).toEqual([])
  })

  it('names rules that exist', () => {
    const rules = new Set(loadBuiltinPacks().flatMap(pack => pack.rules.map(({ id }) => id)))
    for (const { former = {} } of WEAKNESS_RULES) for (const id of Object.keys(former)) rules.add(id)
    // Findings about dependencies come from no rule of a pack.
    expect(verdicts.filter(({ rule }) => !rules.has(rule) && !rule.startsWith('supply:'))).toEqual([])
  })

  it('is named by exceptions of rules: an id in a comment is that of a false positive of the same rule', () => {
    const known = new Map(verdicts.map(verdict => [verdict.id, verdict]))
    const named = projectFiles()
      .filter(path => /^packs\/(?:[^/]+\/rules|weaknesses\/[^/]+)\/.*\.yaml$/.test(path))
      .flatMap(path =>
        [...textOf(path).matchAll(/^\s*#.*\((v\d{4,}(?:, v\d{4,})*)\)$/gm)].map(([, ids]) => ({ path, ids: ids! })),
      )
      .flatMap(({ path, ids }) =>
        ids.split(', ').map(id => ({
          rule: /^key: (.+)$/m.exec(textOf(path))?.[1] ?? path.split('/').at(-1)!.replace('.yaml', ''),
          id,
        })),
      )
    expect(named.length).toBeGreaterThan(90)
    const wrong = named.filter(({ rule, id }) => known.get(id)?.rule !== rule || known.get(id)?.verdict !== 'false')
    expect(wrong).toEqual([])
  })

  it('has at least twelve npm packages that can be fetched and verified', () => {
    const fetched = trees.filter(({ source, version, integrity }) => source === 'npm' && version && integrity)
    expect(fetched.length).toBeGreaterThanOrEqual(12)
  })
})

describe('a row of verdicts.csv', () => {
  it('may have commas and quotes in its cells', () => {
    const [verdict] = parseVerdicts(`${HEAD}\nv0001,a,r-x,"a, b.js",3,false,"says ""no"""\n`)
    expect(verdict).toEqual({
      id: 'v0001',
      tree: 'a',
      rule: 'r-x',
      path: 'a, b.js',
      line: 3,
      verdict: 'false',
      reason: 'says "no"',
    })
  })

  it('may have an empty reason, except for a false positive', () => {
    expect(parseVerdicts(`${HEAD}\nv0001,a,r-x,b.js,3,true,\n`)).toHaveLength(1)
    expect(() => parseVerdicts(`${HEAD}\nv0001,a,r-x,b.js,3,false,\n`)).toThrow(
      'verdicts.csv:2: a false positive needs a reason',
    )
  })

  it.each([
    ['v0001,a,r-x,b.js,0,true,', 'line must be'],
    ['v0001,a,r-x,b.js,1,maybe,', 'verdict must be'],
    ['1,a,r-x,b.js,1,true,', 'id must be'],
    ['v0001,a,r-x,b.js,1,true', '7 cells'],
  ])('%s is refused with its line', (row, message) => {
    expect(() => parseVerdicts(`${HEAD}\n${row}\n`)).toThrow(message)
  })

  it('is printed for a new finding with the next id', () => {
    const verdicts = parseVerdicts(`${HEAD}\nv0007,a,r-x,b.js,3,true,\n`)
    expect(formatRows('a', [{ rule_id: 'r-y', file: 'c,d.js', line: 9 }], verdicts)).toEqual([
      'v0008,a,r-y,"c,d.js",9,,',
    ])
  })
})

it('findings are compared with verdicts by rule, path and line', () => {
  const verdicts = parseVerdicts(`${HEAD}\nv0001,a,r-x,b.js,3,true,\nv0002,a,r-x,b.js,4,true,\n`)
  const findings = [
    { rule_id: 'r-x', file: 'b.js', line: 3 },
    { rule_id: 'r-x', file: 'b.js', line: 3 },
    { rule_id: 'r-z', file: 'b.js', line: 4 },
  ]
  const { added, gone, same } = compareVerdicts(findings, verdicts)
  expect(added).toEqual([findings[2]])
  expect([gone, same].map(each => each.map(({ id }) => id))).toEqual([['v0002'], ['v0001']])
})
