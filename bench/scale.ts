import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { detectLanguage } from '../engine/base/languages/languages.ts'
import { scanFile } from '../engine/detect/file/file-scan.ts'
import { RuleSet } from '../engine/detect/file/rule-set.ts'
import type { CompiledRule } from '../engine/detect/rules/active-rules.ts'
import { registerGrammars } from '../engine/detect/syntax/grammar.ts'
import { loadBuiltinRules } from '../engine/sources/packs/load.ts'
import type { Row } from './process.ts'

const TIMES = 10
const MOST_RATIO = 1.1
/** Of a large tree every so many files are enough: so many bytes are searched. */
const MOST_BYTES = 8 << 20
/** Both sets take turns; the least of each counts, since other work only adds. */
const ROUNDS = 3
const LIMITS = { rule_deadline_ms: 5000, file_deadline_ms: 30_000, max_parse_bytes: 4 << 20 }

/** A tree's files with svc's rules and with ten times as many, of which the added ones ask for what no file has: time of the processor, one thread. */
export async function measureScale(tree: string, folder: string, files: readonly string[]): Promise<Row> {
  registerGrammars()
  const own = loadBuiltinRules()
  const few = new RuleSet(own)
  const many = new RuleSet([...own, ...makeAbsent(own)])
  const inputs = readSample(folder, files)
  const least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round <= ROUNDS; round++)
    for (const [index, rules] of [few, many].entries()) {
      const before = process.cpuUsage()
      for (const [count, input] of inputs.entries()) {
        scanFile(rules, input, LIMITS)
        // Trees are freed in a turn of the event loop.
        if (count % 50 === 0) await new Promise(resolve => setImmediate(resolve))
      }
      const { user, system } = process.cpuUsage(before)
      // In the first round the automata meet the texts for the first time.
      if (round > 0) least[index] = Math.min(least[index]!, (user + system) / 1e6)
    }
  const ratio = least[1]! / least[0]!
  return {
    name: `${tree}: ${many.rules.length.toLocaleString('en-US')} rules, of which nine tenths have absent literals, against ${own.length.toLocaleString('en-US')}, ${inputs.length} files, of the processor`,
    figure: `${ratio.toFixed(2)} × (${least[1]!.toFixed(2)} s, ${least[0]!.toFixed(2)} s)`,
    target: `≤ ${MOST_RATIO} ×`,
    ok: ratio <= MOST_RATIO,
  }
}

/** Nine more of each rule that asks for literals, whose own are in no text. */
function makeAbsent(own: readonly CompiledRule[]): CompiledRule[] {
  const asking = own.filter(({ requirement }) => requirement.length > 0)
  const count = own.length * (TIMES - 1)
  return Array.from({ length: count }, (_, index) => {
    const { number: _number, ...rule } = asking[index % asking.length]!
    const text = `${rule.requirement[0]![0]!.text.slice(0, 4)}\u0001${index}`
    return { ...rule, id: `${rule.id}-made-${index}`, requirement: [[{ text, word: false }]] } as CompiledRule
  })
}

function readSample(folder: string, files: readonly string[]) {
  const step = Math.max(1, Math.floor(files.length / 3000))
  let bytes = 0
  const inputs = []
  for (let index = 0; index < files.length && bytes < MOST_BYTES; index += step) {
    const path = files[index]!
    const content = readFileSync(join(folder, path))
    if (content.length > 1 << 20 || content.includes(0)) continue
    bytes += content.length
    inputs.push({ path, language: detectLanguage(path) ?? 'text', in_test: false, bytes: content })
  }
  return inputs
}
