// Makes engine/detect/secrets/generic/weights.gen.ts from labels.tsv and made lines, and says how well weights do on packages that they were
// not made from: each tenth of the packages is judged by weights made from the other nine.
// Usage: npx tsx scripts/secrets/train.ts <folder with the packages unpacked> [--held-out] [--errors]
// Held-out packages are never learnt from. With --held-out nothing is written: they are judged, which is done once for a set of them.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { findAnchors } from '../../engine/detect/secrets/generic/anchors.ts'
import { candidatesOf } from '../../engine/detect/secrets/generic/candidates.ts'
import { computeFeatures } from '../../engine/detect/secrets/generic/features.ts'
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

const FOLDS = 10
const MADE = 1100
const MADE_WEIGHT = 0.5
const ROUNDS = 3000
const RIDGE = 0.0003

const trees = process.argv[2]
if (trees === undefined) throw new Error('Give the folder that holds the packages unpacked.')
const { lines, missing } = labelled(trees)
if (missing.length > 0) console.log(`not there: ${missing.join(', ')}`)
const learnt = lines.filter(({ label }) => !label.heldOut)
const madeRows = made()
const judged = (line: Labelled, weights: Readonly<Record<string, number>>): Judged => ({
  ...line,
  probability: line.candidate ? probability(computeFeatures(line.candidate), weights) : 0,
})
if (process.argv.includes('--held-out')) {
  const weights = regression([...rowsOf(learnt), ...madeRows])
  for (const heldOut of [false, true])
    report(
      heldOut ? 'held out' : 'learnt from',
      lines.filter(({ label }) => label.heldOut === heldOut).map(line => judged(line, weights)),
    )
} else {
  const folds = Array.from({ length: FOLDS }, (_, fold) => {
    const own = (line: Labelled) => hashOf(`fold ${line.label.package}`) % FOLDS === fold
    const weights = regression([...rowsOf(learnt.filter(line => !own(line))), ...madeRows])
    return learnt.filter(own).map(line => judged(line, weights))
  })
  report('each tenth by the other nine', folds.flat())
  write(regression([...rowsOf(learnt), ...madeRows]))
}

function rowsOf(lines: readonly Labelled[]): Row[] {
  return lines.flatMap(({ label, candidate }) =>
    candidate ? [{ features: computeFeatures(candidate), secret: label.secret, weight: 1 }] : [],
  )
}

function made(): Row[] {
  return madeLines(MADE).flatMap(({ language, text, secret }) => {
    const [candidate] = candidatesOf(text, findAnchors(text), language)
    return candidate ? [{ features: computeFeatures(candidate), secret, weight: MADE_WEIGHT }] : []
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
    new URL('../../engine/detect/secrets/generic/weights.gen.ts', import.meta.url),
    `// Made by scripts/secrets/train.ts.\nexport const WEIGHTS: Readonly<Record<string, number>> = {\n${entries.join('\n')}\n}\n`,
  )
}

/** Logistic regression by full-batch gradient steps with momentum: no chance in it, so the same rows give the same weights. */
function regression(rows: readonly Row[]): Record<string, number> {
  const places = new Map<string, number>()
  const sparse = rows.map(({ features, secret, weight }) => ({
    at: Object.keys(features).map(name => {
      if (!places.has(name)) places.set(name, places.size)
      return places.get(name)!
    }),
    of: Object.values(features),
    secret: Number(secret),
    weight,
  }))
  const weights = new Float64Array(places.size)
  const speed = new Float64Array(places.size)
  const total = sparse.reduce((sum, { weight }) => sum + weight, 0)
  const positive = sparse.reduce((sum, { secret, weight }) => sum + secret * weight, 0)
  for (let round = 0; round < ROUNDS; round++) {
    const slope = new Float64Array(places.size)
    for (const { at, of, secret, weight } of sparse) {
      let sum = 0
      for (let i = 0; i < at.length; i++) sum += of[i]! * weights[at[i]!]!
      // Secrets are rarer than others among the labels; each side counts the same.
      const balance = secret === 1 ? total / (2 * positive) : total / (2 * (total - positive))
      const error = (secret - 1 / (1 + Math.exp(-sum))) * weight * balance
      for (let i = 0; i < at.length; i++) slope[at[i]!]! += error * of[i]!
    }
    for (let i = 0; i < weights.length; i++) {
      const step = slope[i]! / total - (i === places.get('bias') ? 0 : RIDGE * weights[i]!)
      speed[i] = 0.8 * speed[i]! + step
      weights[i]! += 0.2 * speed[i]!
    }
  }
  return Object.fromEntries([...places].map(([name, place]) => [name, weights[place]!]))
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
