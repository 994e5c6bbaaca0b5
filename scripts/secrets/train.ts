// Makes engine/secrets/generic/weights.gen.ts from labels.tsv and made lines, and says how well weights do on packages that they were
// not made from: each fifth of the packages is judged by weights made from the other four.
// Usage: npx tsx scripts/secrets/train.ts <folder with the packages unpacked> [--halves] [--errors]
// With --halves nothing is written: weights from the first half of the packages, by a hash of their names, judge both halves.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { anchorsIn } from '../../engine/secrets/generic/anchors.ts'
import { candidatesOf } from '../../engine/secrets/generic/candidates.ts'
import { featuresOf } from '../../engine/secrets/generic/features.ts'
import { type Labelled, labelled } from './label-set.ts'
import { madeLines } from './made.ts'

interface Judged extends Labelled {
  probability: number
}

interface Row {
  features: Record<string, number>
  secret: boolean
  weight: number
}

const FOLDS = 5
const MADE = 700
const MADE_WEIGHT = 0.5
const ROUNDS = 600
const RIDGE = 0.0015

const trees = process.argv[2]
if (trees === undefined) throw new Error('Give the folder that holds the packages unpacked.')
const { lines, missing } = labelled(trees)
if (missing.length > 0) console.log(`not there: ${missing.join(', ')}`)
const madeRows = made()
const judged = (line: Labelled, weights: Readonly<Record<string, number>>): Judged => ({
  ...line,
  probability: line.candidate ? probability(featuresOf(line.candidate), weights) : 0,
})
if (process.argv.includes('--halves')) {
  const isFirst = ({ label }: Labelled) => hashOf(label.package) % 2 === 0
  const weights = regression([...rowsOf(lines.filter(isFirst)), ...madeRows])
  for (const half of [true, false])
    report(
      half ? 'first half' : 'held-out half',
      lines.filter(line => isFirst(line) === half).map(line => judged(line, weights)),
    )
} else {
  const folds = Array.from({ length: FOLDS }, (_, fold) => {
    const own = (line: Labelled) => hashOf(`fold ${line.label.package}`) % FOLDS === fold
    const weights = regression([...rowsOf(lines.filter(line => !own(line))), ...madeRows])
    return lines.filter(own).map(line => judged(line, weights))
  })
  report('each fifth by the other four', folds.flat())
  write(regression([...rowsOf(lines), ...madeRows]))
}

function rowsOf(lines: readonly Labelled[]): Row[] {
  return lines.flatMap(({ label, candidate }) =>
    candidate ? [{ features: featuresOf(candidate), secret: label.secret, weight: 1 }] : [],
  )
}

function made(): Row[] {
  return madeLines(MADE).flatMap(({ language, text, secret }) => {
    const [candidate] = candidatesOf(text, anchorsIn(text), language)
    return candidate ? [{ features: featuresOf(candidate), secret, weight: MADE_WEIGHT }] : []
  })
}

function hashOf(text: string): number {
  return createHash('sha256').update(text).digest()[0]!
}

function probability(features: Readonly<Record<string, number>>, weights: Readonly<Record<string, number>>): number {
  let sum = 0
  for (const name in features) sum += features[name]! * (weights[name] ?? 0)
  return 1 / (1 + Math.exp(-sum))
}

function write(weights: Readonly<Record<string, number>>): void {
  const entries = Object.entries(weights)
    .filter(([, weight]) => Math.abs(weight) >= 0.005)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, weight]) => `  ${/^\w+$/.test(name) ? name : `'${name}'`}: ${weight.toFixed(3)},`)
  writeFileSync(
    new URL('../../engine/secrets/generic/weights.gen.ts', import.meta.url),
    `// Made by scripts/secrets/train.ts.\nexport const WEIGHTS: Readonly<Record<string, number>> = {\n${entries.join('\n')}\n}\n`,
  )
}

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

function report(title: string, judged: readonly Judged[]): void {
  const secrets = judged.filter(({ label }) => label.secret).length
  console.log(`${title}: ${judged.length} places, ${secrets} of them secrets`)
  for (const threshold of [0.3, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8]) {
    const shown = judged.filter(({ probability }) => probability >= threshold)
    const right = shown.filter(({ label }) => label.secret).length
    console.log(
      `  from ${threshold}: precision ${(right / shown.length).toFixed(3)}, recall ${(right / secrets).toFixed(3)}`,
    )
  }
  if (!process.argv.includes('--errors')) return
  for (const { label, candidate, probability } of [...judged].sort((a, b) => b.probability - a.probability)) {
    if (probability >= 0.5 === label.secret) continue
    console.log(
      `${label.secret ? 'missed' : 'wrong '} ${probability.toFixed(2)} ${label.package} ${label.path}:${label.line} ${candidate?.name ?? ''} [${candidate?.link ?? 'no candidate'}]`,
    )
  }
}
