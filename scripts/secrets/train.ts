// Makes engine/secrets/generic/weights.gen.ts from labels.tsv and made lines, and says how well it does on each half.
// Usage: npx tsx scripts/secrets/train.ts <folder with the packages unpacked> [--held-out]
// Packages are halved by a hash of their names. Without --held-out the second half is not looked at; the committed weights come from
// the first half and the made lines alone, so that the second half's figures are those of unseen packages.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { anchorsIn } from '../../engine/secrets/generic/anchors.ts'
import { candidatesOf } from '../../engine/secrets/generic/candidates.ts'
import { featuresOf } from '../../engine/secrets/generic/features.ts'
import { type Labelled, labelled } from './label-set.ts'
import { madeLines } from './made.ts'

interface Row {
  features: Record<string, number>
  secret: boolean
  weight: number
}

const MADE = 700
const MADE_WEIGHT = 0.5
const ROUNDS = 600
const RIDGE = 0.004

const trees = process.argv[2]
if (trees === undefined) throw new Error('Give the folder that holds the packages unpacked.')
const { lines, missing } = labelled(trees)
if (missing.length > 0) console.log(`not there: ${missing.join(', ')}`)
const isSecondHalf = ({ label }: Labelled) => createHash('sha256').update(label.package).digest()[0]! % 2 === 1
const first = lines.filter(line => !isSecondHalf(line))

const rows: Row[] = first.flatMap(({ label, candidate }) =>
  candidate ? [{ features: featuresOf(candidate), secret: label.secret, weight: 1 }] : [],
)
let lost = 0
for (const { language, text, secret } of madeLines(MADE)) {
  const [candidate] = candidatesOf(text, anchorsIn(text), language)
  if (candidate) rows.push({ features: featuresOf(candidate), secret, weight: MADE_WEIGHT })
  else if (secret) lost++
}
console.log(
  `${rows.length} rows, ${rows.filter(({ secret }) => secret).length} of them secrets; ${lost} of ${MADE} made secrets are not found`,
)
const weights = regression(rows)
report('first half', first, weights)
if (process.argv.includes('--held-out')) report('held-out half', lines.filter(isSecondHalf), weights)
const entries = Object.entries(weights)
  .filter(([, weight]) => Math.abs(weight) >= 0.005)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, weight]) => `  ${/^\w+$/.test(name) ? name : `'${name}'`}: ${weight.toFixed(3)},`)
writeFileSync(
  new URL('../../engine/secrets/generic/weights.gen.ts', import.meta.url),
  `// Made by scripts/secrets/train.ts.\nexport const WEIGHTS: Readonly<Record<string, number>> = {\n${entries.join('\n')}\n}\n`,
)

/** Logistic regression by full-batch gradient steps with momentum: no chance in it, so the same rows give the same weights. */
function regression(rows: readonly Row[]): Record<string, number> {
  const weights: Record<string, number> = {}
  const speed: Record<string, number> = {}
  const positive = rows.reduce((sum, { secret, weight }) => sum + (secret ? weight : 0), 0)
  const total = rows.reduce((sum, { weight }) => sum + weight, 0)
  for (let round = 0; round < ROUNDS; round++) {
    const slope: Record<string, number> = {}
    for (const { features, secret, weight } of rows) {
      let sum = 0
      for (const name in features) sum += features[name]! * (weights[name] ?? 0)
      // Secrets are rarer than others among the labels; each side counts the same.
      const balance = secret ? total / (2 * positive) : total / (2 * (total - positive))
      const error = ((secret ? 1 : 0) - 1 / (1 + Math.exp(-sum))) * weight * balance
      for (const name in features) slope[name] = (slope[name] ?? 0) + error * features[name]!
    }
    for (const name in slope) {
      const step = slope[name]! / total - RIDGE * (name === 'bias' ? 0 : (weights[name] ?? 0))
      speed[name] = 0.8 * (speed[name] ?? 0) + step
      weights[name] = (weights[name] ?? 0) + 0.2 * speed[name]
    }
  }
  return weights
}

function report(title: string, lines: readonly Labelled[], weights: Readonly<Record<string, number>>): void {
  const judged = lines.map(({ label, candidate }) => {
    let sum = 0
    const features = candidate ? featuresOf(candidate) : {}
    for (const name in features) sum += features[name]! * (weights[name] ?? 0)
    return { label, candidate, probability: candidate ? 1 / (1 + Math.exp(-sum)) : 0 }
  })
  const secrets = judged.filter(({ label }) => label.secret).length
  console.log(`${title}: ${judged.length} places, ${secrets} of them secrets`)
  for (const threshold of [0.3, 0.4, 0.5, 0.6, 0.7, 0.8]) {
    const shown = judged.filter(({ probability }) => probability >= threshold)
    const right = shown.filter(({ label }) => label.secret).length
    console.log(
      `  from ${threshold}: precision ${(right / shown.length).toFixed(3)}, recall ${(right / secrets).toFixed(3)}`,
    )
  }
  if (process.argv.includes('--errors')) {
    for (const { label, candidate, probability } of judged.sort((a, b) => b.probability - a.probability)) {
      if (probability >= 0.5 === label.secret) continue
      console.log(
        `${label.secret ? 'missed' : 'wrong '} ${probability.toFixed(2)} ${label.package} ${label.path}:${label.line} ${candidate?.name ?? ''} [${candidate?.link ?? 'no candidate'}]`,
      )
    }
  }
}
