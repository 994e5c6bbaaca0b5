import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { detectLanguage } from '../../../engine/base/languages/languages.ts'
import { RULE_TYPES } from '../../../engine/base/records/rule.ts'
import { DETECTORS } from '../../../engine/detect/file/detectors.gen.ts'
import { PATH_JUDGES } from '../../../engine/detect/file/path-judges.gen.ts'
import { RULE_KINDS } from '../../../engine/detect/file/rule-kinds.gen.ts'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import type { CompiledRule } from '../../../engine/detect/rules/active-rules.ts'
import { type Detector, NEEDS_TREE } from '../../../engine/detect/rules/detector.ts'
import { TRAITS } from '../../../engine/detect/rules/traits.gen.ts'
import { registerGrammars } from '../../../engine/detect/syntax/grammar.ts'
import { scanBatch } from '../../../engine/scan/batch.ts'
import { parseRule } from '../../../engine/sources/packs/parse.ts'
import { BlobReader } from '../../../engine/sources/repository/blobs.ts'
import { buildRegistries, checkTypes } from '../../../scripts/generate-registries.ts'
import { project } from '../../made/project.ts'
import { wordRule } from '../../made/rules.ts'
import lineLength from './fixtures/detect/engine/detect/line-length/detector.ts'

registerGrammars()

const FIXTURE = resolve(import.meta.dirname, 'fixtures/detect')
const made: string[] = []
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true })
})

/** A rule of another type, made from one whose file is read. */
async function ruleOf(type: string, more: object = {}): Promise<CompiledRule> {
  const [[path, text] = []] = Object.entries(wordRule(type.replace('_', '')))
  const rule = await parseRule(new TextEncoder().encode(text), path!, 'test')
  return { ...rule, type, requirement: [], ...more } as unknown as CompiledRule
}

/** What the rules find in a repository, by the driver of every scan. */
async function scan(files: Record<string, string>, rules: CompiledRule[], registry: readonly Detector[]) {
  const root = project(files)
  const reader = new BlobReader(root)
  const limits = {
    max_file_bytes: 1 << 20,
    rule_deadline_ms: 60_000,
    file_deadline_ms: 60_000,
    max_parse_bytes: 1 << 20,
  }
  const listed = Object.entries(files).map(([path, text]) => ({
    ...{ path, size: text.length, language: detectLanguage(path), in_test: false },
  }))
  try {
    const reports = await scanBatch({ files: listed }, { rules: new RuleSet(rules, registry), root, limits, reader })
    return reports.flatMap(({ file, outcome }) =>
      outcome!.matches.map(({ rule, line }) => `${rules[rule]!.id} ${file.path}:${line}`),
    )
  } finally {
    reader.close()
  }
}

describe('the registries', () => {
  const types = [...RULE_TYPES].sort()

  test('hold a detector, its traits and a kind of rule for each type exactly once', () => {
    expect(DETECTORS.map(({ type }) => type).sort()).toEqual(types)
    expect(RULE_KINDS.map(({ type }) => type).sort()).toEqual(types)
    expect(TRAITS.map(({ type }) => type).sort()).toEqual(types)
  })

  test('hold judges of paths for types that have a detector', () => {
    for (const { type } of PATH_JUDGES) expect(types).toContain(type)
  })

  test('are made of the directories: one more is one more detector', async () => {
    const registries = await buildRegistries(FIXTURE)
    expect(registries.get('engine/detect/file/detectors.gen.ts')).toContain(
      "import lineLength from '../line-length/detector.ts'",
    )
    expect(registries.get('engine/detect/file/rule-kinds.gen.ts')).toContain(
      "import lineLength from '../line-length/rule-kind.ts'",
    )
    expect(registries.get('engine/detect/rules/traits.gen.ts')).toContain("{ type: 'line_length', reach: 'severe',")
  })

  test('are refused where two directories are for one type, or a detector has no kind of rule', async () => {
    const root = mkdtempSync(join(resolve(import.meta.dirname, 'fixtures'), 'registry-'))
    made.push(root)
    const folder = join(root, 'engine/detect')
    const own = join(FIXTURE, 'engine/detect/line-length')
    mkdirSync(folder, { recursive: true })
    cpSync(own, join(folder, 'first'), { recursive: true })
    cpSync(own, join(folder, 'second'), { recursive: true })
    await expect(buildRegistries(root)).rejects.toThrow(
      'engine/detect/second/detector.ts: first is for the type line_length already',
    )
    rmSync(join(folder, 'second'), { recursive: true })
    rmSync(join(folder, 'first/rule-kind.ts'))
    await expect(buildRegistries(root)).rejects.toThrow('one of them lacks for line_length')
  })
})

test('npm run generate refuses a type that RULE_TYPES lacks, and one without a directory', () => {
  expect(() => checkTypes(['ast', 'line_length'], ['ast'])).toThrow(
    'a detector for the type line_length, which RULE_TYPES in engine/base/records/rule.ts lacks',
  )
  expect(() => checkTypes(['ast'], ['ast', 'line_length'])).toThrow('has line_length, for which no engine/detect')
  expect(() => checkTypes(['ast'], ['ast'])).not.toThrow()
})

describe('a detector that the driver has never seen', () => {
  test('finds in the text of files, beside all others', async () => {
    const word = await ruleOf('regex', { id: 'a-word' })
    const line = await ruleOf('line_length', { id: 'long-line', longest: 20 })
    const files = { 'a.txt': 'regex\na line that is longer than twenty\n', 'b.txt': 'nothing\n' }
    expect(await scan(files, [word, line], [...DETECTORS, lineLength])).toEqual(['a-word a.txt:1', 'long-line a.txt:2'])
  })

  test('finds in the syntax tree, for which the file is parsed', async () => {
    const nested: Detector = {
      ...{ type: 'nested_if', reach: 'severe', views: 'code', parses: true, identity: 'code' },
      begin: () => ({
        admit: () => NEEDS_TREE,
        tree: {
          needsTree: () => true,
          searchTree: (rule, { whole }) =>
            whole
              .findAll({ rule: { kind: 'if_statement', inside: { kind: 'if_statement', stopBy: 'end' } } })
              .map(node => {
                const { start, end } = node.range()
                return { rule, start: start.index, end: end.index }
              }),
        },
      }),
    }
    const rule = await ruleOf('nested_if', { id: 'nested-if', languages: ['javascript'] })
    const files = { 'a.js': 'if (a) {\n  if (b) c()\n}\nif (d) e()\n' }
    expect(await scan(files, [rule], [...DETECTORS, nested])).toEqual(['nested-if a.js:2'])
  })

  test('is named where it is missing', async () => {
    const rule = await ruleOf('line_length', { id: 'long-line' })
    expect(() => new RuleSet([rule])).toThrow(
      'long-line: no detector.ts under engine/detect is for the type line_length',
    )
  })
})
