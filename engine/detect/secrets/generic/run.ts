import type { GenericClass } from '../../../base/records/secret-detector.ts'
import type { SecretMatch } from '../run.ts'
import { type Candidate, candidatesOf } from './candidates.ts'
import { isDigest } from './digest.ts'
import { isEncodedFile } from './encoded-file.ts'
import { isEncodedLine } from './encoded-line.ts'
import { isEncrypted } from './encrypted.ts'
import { findExamplePlace, isLocalDefault, isPlaceholder } from './example.ts'
import { isKeyId } from './identifier.ts'
import { estimateProbability, explainProbability, THRESHOLD } from './model.ts'
import { isInvitation, isOpenValue, isProse } from './open-value.ts'
import { isPasswordHash } from './password-hash.ts'
import {
  isEnumerated,
  isIcon,
  isPublicValue,
  isRefused,
  isSaidPublic,
  isSlug,
  isSyntaxToken,
  isUserEntry,
} from './public-value.ts'
import { isTranslation } from './translated.ts'
import { isVerifierKey } from './verifier-key.ts'

/** A secret without a format of its own, and which detector it belongs to. */
export interface GenericMatch extends SecretMatch {
  kind: GenericClass
}

/**
 * Lists of bytes are as often test vectors of ciphers, and settings in the texts of a program examples of its documentation: the model
 * cannot tell them from those in use, so none is sure. Nor is a test vector that it holds to be a secret none the less.
 */
const MOST_OF_EXAMPLES = 0.65
/** How text is written in bytes, which follows a secret where it is decoded or digested (`from(secret, 'base64url')`, `update(secret).digest('base64')`). */
const ENCODING = /^(?:utf-?8|utf-?16(?:-?[bl]e)?|ucs-?2|base64(?:url)?|latin-?1|ascii|hex)$/i
/** How many reasons a note lists. */
const REASONS = 6

/** The values around the anchors that the model holds to be secrets; with `explain`, each with the model's reasons. */
export function runGeneric(
  text: string,
  anchors: ArrayLike<number>,
  language: string,
  explain: boolean,
  path = '',
): GenericMatch[] {
  const out: GenericMatch[] = []
  for (const candidate of candidatesOf(text, anchors, language)) {
    const probability = estimateProbability(candidate)
    const isExample = candidate.listed || candidate.embedded || candidate.around.isVector
    const confidence = isExample ? Math.min(MOST_OF_EXAMPLES, probability) : probability
    if (confidence < THRESHOLD || isOpenValue(text, candidate.start)) continue
    if (ENCODING.test(candidate.text)) continue
    if (isIcon(text.slice(candidate.start, candidate.end))) continue
    if (isProse(candidate.text) || isInvitation(candidate.text)) continue
    if (isEncodedLine(text, candidate.start) || isEncodedFile(candidate.text)) continue
    if (isTranslation(text, candidate.start, candidate.end)) continue
    const isHash = isPasswordHash(candidate.text, candidate.name)
    if (!isHash && saysNothingSecret(text, candidate, path)) continue
    const place = isHash ? undefined : findExamplePlace(text, candidate.start, language, path)
    if (place && isPlaceholder(candidate.text, place)) continue
    const match: GenericMatch = {
      kind: candidate.kind,
      start: candidate.start,
      end: candidate.end,
      confidence: Math.min(0.99, Math.round(confidence * 100) / 100),
      value: candidate.text,
    }
    if (explain) match.note = noteOf(candidate)
    // What it is comes first; under what its name says it is known as before.
    if (isHash) out.push({ ...match, kind: 'password_hash' })
    const isNotInUse = place || (candidate.kind === 'url' && isLocalDefault(text, candidate))
    if (isNotInUse) out.push({ ...match, kind: 'example' })
    out.push(match)
  }
  return out
}

/** Whether a value is what stands for a secret and can be shown: encrypted, a digest, the id of a key, a verifier's key, what is public. */
function saysNothingSecret(text: string, candidate: Candidate, path: string): boolean {
  const { start, end, name, text: value } = candidate
  return (
    isPublicValue(value) ||
    isSlug(name, value) ||
    (candidate.link === 'call' && isUserEntry(text, name, end)) ||
    isEnumerated(text, start, end, value) ||
    isSaidPublic(text, start) ||
    (candidate.link === 'compare' && isRefused(text, start, end)) ||
    (candidate.kind === 'token' && isSyntaxToken(name, value)) ||
    isEncrypted(text, start, value, name) ||
    isKeyId(name, value) ||
    isVerifierKey(value) ||
    isDigest(text, candidate, path)
  )
}

function noteOf(candidate: Candidate): string {
  const reasons = explainProbability(candidate)
    .slice(0, REASONS)
    .map(({ feature, weight }) => `${feature} ${weight > 0 ? '+' : '−'}${Math.abs(weight).toFixed(1)}`)
  return `model: ${reasons.join(', ')}`
}
