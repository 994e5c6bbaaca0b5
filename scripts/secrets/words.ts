// Makes engine/detect/secrets/generic/words.gen.ts: words that programs have between quotes again and again (types, states, fields, labels),
// so that a password that is a word can be told from them.
// Usage: npx tsx scripts/secrets/words.ts <folder with the packages unpacked>     (the packages of labels.tsv that are learnt from)
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readLabels } from './label-set.ts'

const MOST_FILES = 500
const MOST_BYTES = 200_000
/** A word counts from so many packages on. */
const PACKAGES = 7

const trees = process.argv[2]
if (trees === undefined) throw new Error('Give the folder that holds the packages unpacked.')
const learnt = new Set(readLabels().flatMap(label => (label.heldOut ? [] : [`${label.package}_${label.version}`])))
const seen = new Map<string, number>()
for (const name of [...learnt].sort()) {
  const words = new Set<string>()
  let files = 0
  for (const path of filesOf(join(trees, name))) {
    if (statSync(path).size > MOST_BYTES) continue
    if (++files > MOST_FILES) break
    const text = readFileSync(path, 'latin1')
    for (const [, word] of text.matchAll(/["'`>]([A-Za-z]{3,14})["'`<]/g)) words.add(word!.toLowerCase())
  }
  for (const word of words) seen.set(word, (seen.get(word) ?? 0) + 1)
}
const words = [...seen].filter(([, packages]) => packages >= PACKAGES).map(([word]) => word)
words.sort()
const rows = words
  .join(' ')
  .match(/.{1,110}(?: |$)/g)!
  .map(row => `  '${row}',`)
writeFileSync(
  new URL('../../engine/detect/secrets/generic/words.gen.ts', import.meta.url),
  `// Made by scripts/secrets/words.ts.\nexport const WORDS = [\n${rows.join('\n')}\n].join('')\n`,
)
console.log(`${words.length} words`)

/** The files below a folder, every folder's in the order of their names. */
function* filesOf(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (entry.name !== '.git') yield* filesOf(path)
    } else if (entry.isFile()) yield path
  }
}
