// Makes engine/detect/secrets/generic/letters.gen.ts: how likely each letter is after the two before it, in words that people write.
// Usage: npx tsx scripts/secrets/letters.ts < text     (the committed table: descriptions of Debian 12's packages, `apt-cache dumpavail`,
// and the names of npm packages installed; any large English technical text gives nearly the same)
import { readFileSync, writeFileSync } from 'node:fs'
import { ALPHABET, toSymbol } from '../../engine/detect/secrets/generic/letters.ts'

const counts = new Map<string, number>()
for (const [word] of readFileSync(0, 'utf8').matchAll(/[A-Za-z]{2,24}/g)) {
  const lower = word.toLowerCase()
  counts.set(lower, (counts.get(lower) ?? 0) + 1)
}
const size = ALPHABET
const seen = new Float64Array(size ** 3)
for (const [word, count] of counts) {
  // A word seen once is as often a typing error or an abbreviation; a frequent one is not hundreds of times as much a word.
  if (count < 3) continue
  const weight = Math.log2(count)
  const symbols = [0, 0, ...[...word].map(char => toSymbol(char.charCodeAt(0))), 0]
  for (let at = 2; at < symbols.length; at++)
    seen[(symbols[at - 2]! * size + symbols[at - 1]!) * size + symbols[at]!]! += weight
}
// Bits by which a letter surprises, in quarters, as one character from '0' on.
let table = ''
for (let row = 0; row < size * size; row++) {
  let total = 0
  for (let column = 0; column < size; column++) total += seen[row * size + column]!
  for (let column = 0; column < size; column++) {
    const probability = (seen[row * size + column]! + 0.5) / (total + 0.5 * size)
    table += String.fromCharCode(48 + Math.min(60, Math.round(-Math.log2(probability) * 4)))
  }
}
const rows = table.match(new RegExp(`.{1,${size * 4}}`, 'gs'))!.map(row => `  ${JSON.stringify(row)},`)
writeFileSync(
  new URL('../../engine/detect/secrets/generic/letters.gen.ts', import.meta.url),
  `// Made by scripts/secrets/letters.ts.\nexport const LETTERS = [\n${rows.join('\n')}\n].join('')\n`,
)
