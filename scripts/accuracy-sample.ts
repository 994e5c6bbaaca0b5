// Draws findings to be read and judged (docs/accuracy.md): the same ones for the same seed and the same findings.
// Usage: npx tsx scripts/accuracy-sample.ts [--seed n] [--size n] [--most n] NAME=FINDINGS.json…
// FINDINGS.json is what `svc scan --json` printed of the tree that is to be called NAME. Prints one row a finding, as
// tab-separated values: tree, path, line, rule, and how many findings that rule has in all trees.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

interface Drawn {
  tree: string
  file: string
  line: number
  rule_id: string
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    size: { type: 'string', default: '200' },
    most: { type: 'string', default: '8' },
  },
})

const byRule = new Map<string, Map<string, Drawn>>()
for (const argument of positionals) {
  const [tree, path] = argument.split('=') as [string, string]
  const { findings } = JSON.parse(readFileSync(path, 'utf8')) as { findings: Omit<Drawn, 'tree'>[] }
  for (const { file, line, rule_id } of findings) {
    const known = byRule.get(rule_id) ?? new Map<string, Drawn>()
    // What a rule finds several times in a line is read once.
    byRule.set(rule_id, known.set(`${tree}/${file}:${line}`, { tree, file, line, rule_id }))
  }
}

for (const { tree, file, line, rule_id } of draw(byRule, Number(values.size), Number(values.most)))
  console.log([tree, file, line, rule_id, byRule.get(rule_id)!.size].join('\t'))

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
