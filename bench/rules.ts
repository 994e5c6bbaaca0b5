// What each syntax rule costs on a folder: time in its search, files searched, matches. Usage: npx tsx bench/rules.ts <folder> [language]
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from '@ast-grep/napi'
import { detectLanguage } from '../engine/base/languages/languages.ts'
import { RuleSet } from '../engine/detect/file/rule-set.ts'
import { runAst } from '../engine/detect/syntax/ast.ts'
import { getGrammarName, registerGrammars } from '../engine/detect/syntax/grammar.ts'
import { readPacks } from '../engine/sources/packs/folder.ts'
import { tracked } from './trees.ts'

const [folder = '.', only] = process.argv.slice(2)
registerGrammars()
const packs = await readPacks(join(import.meta.dirname, '../packs'))
const set = new RuleSet(packs.flatMap(({ rules }) => rules))
const cost = new Map<string, { ms: number; files: number; matches: number; worst: number; worstFile: string }>()
let parsed = 0
let parsing = 0
for (const path of tracked(folder)) {
  const language = detectLanguage(path)
  if (!language || (only && language !== only)) continue
  let bytes: Buffer
  try {
    bytes = readFileSync(join(folder, path))
  } catch {
    continue
  }
  if (bytes.length > 4 << 20 || bytes.subarray(0, 8192).includes(0)) continue
  set.prefilter.scan(bytes)
  const admitted = set.prefilter
    .admitted()
    .filter(index => set.rules[index]?.type === 'ast' && set.looksAt(index, language))
  if (admitted.length === 0) continue
  const text = bytes.toString('utf8')
  const candidates = admitted.filter(index => {
    const rule = set.rules[index]!
    return rule.type !== 'ast' || rule.when === undefined || set.expression(rule.when, false).test(text)
  })
  if (candidates.length === 0) continue
  const began = performance.now()
  const root = parse(getGrammarName(language), text).root()
  parsing += performance.now() - began
  parsed++
  for (const index of candidates) {
    const rule = set.rules[index]!
    if (rule.type !== 'ast') continue
    const start = performance.now()
    const matches = runAst(index, rule, root, text).matches.length
    const ms = performance.now() - start
    const sum = cost.get(rule.id) ?? { ms: 0, files: 0, matches: 0, worst: 0, worstFile: '' }
    sum.ms += ms
    sum.files++
    sum.matches += matches
    if (ms > sum.worst) Object.assign(sum, { worst: ms, worstFile: path })
    cost.set(rule.id, sum)
  }
  if (parsed % 50 === 0) await new Promise(resolve => setImmediate(resolve))
}
console.log(`${parsed} files parsed in ${Math.round(parsing)} ms`)
for (const [id, { ms, files, matches, worst, worstFile }] of [...cost].sort((a, b) => b[1].ms - a[1].ms).slice(0, 40)) {
  console.log(
    `${Math.round(ms).toString().padStart(7)} ms ${files.toString().padStart(6)} files ${matches.toString().padStart(5)} matches  ${id}  (worst ${Math.round(worst)} ms, ${worstFile})`,
  )
}
