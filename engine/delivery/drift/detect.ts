import type { Listing } from '../../base/records/source-file.ts'
import { formatCount } from '../../base/text/words.ts'
import type { Requirement } from '../requirements/model.ts'
import type { LinkedRequirements } from '../trace/gather.ts'
import { groupLinks } from '../trace/links.ts'
import { compareDigests, type Difference, type DriftType } from './compare.ts'
import { parseDigest } from './confirmed.ts'
import { CodeMeasure } from './measure.ts'

/** How sure svc is that code and requirement drifted apart (spec "Confidence"). */
export const DRIFT_CONFIDENCE = 0.7

/** A requirement and code that drifted apart. */
export interface Drift {
  id: string
  title: string
  /** Behavioral drift is a model's judgement. */
  type: DriftType
  /** Of the code, or of the requirement where the code is gone. */
  file: string
  /** From 1. */
  line: number
  symbol?: string
  message: string
  /** When the requirement was confirmed the last time. */
  confirmed_at: string
  /** Of a model's judgement; absent, DRIFT_CONFIDENCE. */
  confidence?: number
}

/** What was not judged, with the reason; never no drift. */
export interface UnknownDrift {
  id: string
  type: DriftType | 'all'
  file: string
  line: number
  reason: string
}

/** Whether nothing drifted and every confirmed requirement could be compared. */
export function hasPassed({ drifts, unknown }: Pick<DriftResult, 'drifts' | 'unknown'>): boolean {
  return drifts.length === 0 && !unknown.some(({ type }) => type === 'all')
}

export interface DriftResult {
  drifts: Drift[]
  unknown: UnknownDrift[]
  /** Requirements that were compared. */
  compared: number
  /** Ids of requirements that nobody confirmed: there is nothing to compare with. */
  unconfirmed: string[]
}

export interface DriftRequest {
  listing: Pick<Listing, 'root' | 'files'>
  maxBytes: number
  /** Contents in place of those on disk. */
  contents?: ReadonlyMap<string, Uint8Array>
  signal?: AbortSignal
  /** Whether a requirement is compared; absent, all are. */
  includes?: (requirement: Requirement, paths: readonly string[]) => boolean
}

/**
 * Compares each confirmed requirement with the code that it is linked to now. Structural and cross-file drift and changed words are certain; whether
 * a changed body still does what is required, and whether acceptance criteria hold, takes a language model (`ask.ts`) and is unknown.
 */
export async function detectDrift({ set, resolved }: LinkedRequirements, request: DriftRequest): Promise<DriftResult> {
  const measure = new CodeMeasure(request.listing, request.maxBytes, request.contents)
  const links = groupLinks(resolved.links)
  const result: DriftResult = { drifts: [], unknown: [], compared: 0, unconfirmed: [] }
  // A requirement that cannot be read may have drifted.
  for (const { kind, id = '', file, line, message: reason } of set.faults)
    if (kind === 'invalid') result.unknown.push({ id, type: 'all', file, line, reason })
  for (const requirement of set.byId.values()) {
    const { id, file, line, status, confirmed: confirmation } = requirement
    request.signal?.throwIfAborted()
    if (status === 'obsolete') continue
    const own = links.get(id) ?? []
    const confirmed = confirmation && parseDigest(confirmation.digest)
    const paths = [...own.map(link => link.file), ...(confirmed?.places ?? []).map(({ path }) => path)]
    if (request.includes && !request.includes(requirement, paths)) continue
    if (!confirmation) {
      result.unconfirmed.push(id)
      continue
    }
    if (!confirmed) {
      const reason = 'its confirmation has a digest that svc did not write; confirm it again'
      result.unknown.push({ id, type: 'all', file, line, reason })
      continue
    }
    const imported = confirmed.places.flatMap(({ kind, path }) => (kind === 'import' ? [path] : []))
    const now = await measure.measure(requirement, own, { confirmed, imports: () => imported })
    result.compared++
    for (const difference of compareDigests(confirmed, now)) put(result, requirement, difference, own)
    if (requirement.acceptance.length > 0) {
      const reason = `${formatCount(requirement.acceptance.length, 'acceptance criterion', 'acceptance criteria')}: judging them takes a language model`
      result.unknown.push({ id, type: 'acceptance_criteria', file, line, reason })
    }
  }
  return result
}

function put(
  result: DriftResult,
  requirement: Requirement,
  { type, isCertain, file, symbol, message }: Difference,
  links: readonly { file: string; symbol?: string; line: number }[],
): void {
  const { id, title } = requirement
  const link = file === undefined ? undefined : links.find(each => each.file === file && each.symbol === symbol)
  const at = file === undefined ? { file: requirement.file, line: requirement.line } : { file, line: link?.line ?? 1 }
  if (isCertain && type !== 'behavioral')
    result.drifts.push({
      ...{ id, title, type, ...at, ...(symbol !== undefined && { symbol }) },
      ...{ message, confirmed_at: requirement.confirmed!.at },
    })
  else {
    const reason = `${message} Whether it still does what is required takes a language model.`
    result.unknown.push({ id, type, ...at, reason })
  }
}
