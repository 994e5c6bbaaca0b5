import type { Candidate } from './candidates.ts'
import { computeFeatures } from './features.ts'
import { WEIGHTS } from './weights.gen.ts'

/** A feature with what it adds to the score (log-odds): the model's reasons, largest first. */
export interface Reason {
  feature: string
  weight: number
}

/** From this probability a candidate is reported. */
export const THRESHOLD = 0.4

/**
 * How likely a candidate is a credential that somebody may use, from 0 to 1: a logistic regression over the features, whose weights
 * scripts/secrets/train.ts makes from labelled lines. It is calibrated on packages that it was not made from (docs/secrets.md).
 */
export function estimateProbability(candidate: Candidate): number {
  return logistic(score(computeFeatures(candidate)))
}

/** The reasons for a candidate's probability, largest first. */
export function explainProbability(candidate: Candidate): Reason[] {
  return Object.entries(computeFeatures(candidate))
    .map(([feature, value]) => ({ feature, weight: value * (WEIGHTS[feature] ?? 0) }))
    .filter(({ weight }) => Math.abs(weight) >= 0.05)
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
}

function score(features: Readonly<Record<string, number>>): number {
  let sum = 0
  for (const feature in features) sum += features[feature]! * (WEIGHTS[feature] ?? 0)
  return sum
}

function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value))
}
