// Draws findings to be read and judged (docs/measuring-accuracy.md): the same ones for the same seed and the same findings.
// Usage: npx tsx scripts/accuracy-sample.ts [--seed n] [--size n] [--most n] [--uniform] [--code] [--fresh] [--json] NAME=FINDINGS.json…
// With --uniform every place has the same chance, up to --most of a rule; with --code detectors of secrets are left out.
// FINDINGS.json is what `svc scan --json` printed of the tree that is to be called NAME. Prints one row a finding, as
// tab-separated values: tree, path, line, rule, and how many findings that rule has in all trees. With --fresh a tree that is in
// bench/accuracy/trees.yaml is an error; with --json reviewers get what they judge: an id, the location and what the finding claims.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readTrees } from './accuracy/verdicts.ts'

interface Drawn {
  tree: string
  file: string
  line: number
  rule_id: string
  title: string
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    size: { type: 'string', default: '200' },
    most: { type: 'string', default: '8' },
    uniform: { type: 'boolean', default: false },
    code: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})

const used = values.fresh ? readTrees(join(resolve(import.meta.dirname, '..'), 'bench/accuracy')) : []
const byRule = new Map<string, Map<string, Drawn>>()
for (const argument of positionals) {
  const [tree, path] = argument.split('=') as [string, string]
  if (used.some(({ name, package: named }) => tree === name || tree === named)) {
    console.error(`${tree} is not fresh: bench/accuracy/trees.yaml has it.`)
    process.exit(64)
  }
  const { findings } = JSON.parse(readFileSync(path, 'utf8')) as {
    findings: (Omit<Drawn, 'tree'> & { category: string })[]
  }
  for (const { file, line, rule_id, title, category } of findings) {
    if (values.code && category === 'secret') continue
    const known = byRule.get(rule_id) ?? new Map<string, Drawn>()
    // What a rule finds several times in a line is read once.
    byRule.set(rule_id, known.set(`${tree}/${file}:${line}`, { tree, file, line, rule_id, title }))
  }
}

const drawing = values.uniform ? drawUniformly : draw
const drawn = drawing(byRule, Number(values.size), Number(values.most))
if (values.json) console.log(JSON.stringify(drawn.map(describe), null, 1))
else
  for (const { tree, file, line, rule_id } of drawn)
    console.log([tree, file, line, rule_id, byRule.get(rule_id)!.size].join('\t'))

/** What a reviewer is given of a finding, nothing of what its rule says beyond the title. */
function describe({ tree, file, line, rule_id, title }: Drawn, index: number): object {
  return { id: `d${String(index + 1).padStart(3, '0')}`, tree, rule: rule_id, file, line, claim: title }
}

/**
 * In rounds, so that a rule that finds much does not crowd out the others: each round takes one finding of every rule, rules
 * in random order, until there are enough or every rule has given what it may.
 */
function draw(rules: ReadonlyMap<string, ReadonlyMap<string, Drawn>>, size: number, most: number): Drawn[] {
  const order = shuffled([...rules.keys()], rule => rule)
  const queues = new Map(
    order.map(rule => [
      rule,
      shuffled([...rules.get(rule)!], ([place]) => `${rule}:${place}`).map(([, drawn]) => drawn),
    ]),
  )
  const taken: Drawn[] = []
  for (let round = 0; round < most && taken.length < size; round++) {
    for (const rule of order) {
      const next = queues.get(rule)![round]
      if (next && taken.length < size) taken.push(next)
    }
  }
  const rank = new Map(order.map((rule, index) => [rule, index]))
  return taken.sort((a, b) => rank.get(a.rule_id)! - rank.get(b.rule_id)!)
}

/** Places in random order, whatever their rule, without those of which a rule has had its share. */
function drawUniformly(rules: ReadonlyMap<string, ReadonlyMap<string, Drawn>>, size: number, most: number): Drawn[] {
  const places = [...rules.values()].flatMap(each => [...each.values()])
  const had = new Map<string, number>()
  const taken = shuffled(places, ({ tree, file, line, rule_id }) => `${tree}|${file}|${line}|${rule_id}`).filter(
    ({ rule_id }) => {
      const count = had.get(rule_id) ?? 0
      had.set(rule_id, count + 1)
      return count < most
    },
  )
  return taken.slice(0, size).sort((a, b) => (a.rule_id < b.rule_id ? -1 : a.rule_id > b.rule_id ? 1 : 0))
}

/** In an order that depends on the seed and on each item's name alone, so that a finding more leaves the others where they were. */
function shuffled<T>(items: readonly T[], name: (item: T) => string): T[] {
  const key = (item: T) =>
    createHash('sha256')
      .update(`${values.seed}\n${name(item)}`)
      .digest('hex')
  return items
    .map(item => ({ item, key: key(item) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ item }) => item)
}
