import { EngineError } from '../../base/errors.ts'
import { isObject } from '../../base/text/json-object.ts'
import { formatCount } from '../../base/text/words.ts'
import { makeId } from '../design/decision.ts'
import type { ThreatDocument } from './assess.ts'
import type { Level, Stride, Threat, ThreatSeverity } from './model.ts'
import { readOpenThreatModel } from './open-threat-model.ts'
import { readThreatDragon } from './threat-dragon.ts'

/** A threat as another tool has it. */
export interface ImportedThreat {
  id: string
  element: string
  component: string
  title: string
  description: string
  /** Absent where the other tool uses another method. */
  stride: Stride | undefined
  mitigation: string
  likelihood: Level
  severity: ThreatSeverity
  cwe: string[]
  status: 'pending' | 'mitigated'
  note?: string
}

export interface Imported {
  document: ThreatDocument
  format: 'threat-dragon' | 'otm'
  /** Threats of svc whose status came from the file. */
  updated: number
  /** Threats that svc did not have. */
  added: number
  /** Threats that are of no category of STRIDE. */
  skipped: number
}

/** Threats of one file at most. */
const MOST = 5000

/**
 * Takes what another tool knows into a threat model: mitigations of threats that svc wrote, and threats that were added there. A threat that the
 * file has as open stays mitigated where a user mitigated it here. INPUT_INVALID for a file of neither format.
 */
export function importThreats(
  text: string,
  name: string,
  document: ThreatDocument,
  now: string,
  by?: string,
): Imported {
  const value = parse(text, name)
  const format =
    typeof value.otmVersion === 'string'
      ? 'otm'
      : isObject(value.detail) && isObject(value.summary)
        ? 'threat-dragon'
        : undefined
  if (format === undefined)
    throw new EngineError('INPUT_INVALID', `${name} is neither a Threat Dragon 2 model nor an Open Threat Model.`, {
      hint: 'A Threat Dragon model has summary and detail, an Open Threat Model has otmVersion.',
    })
  const imported = format === 'otm' ? readOpenThreatModel(value) : readThreatDragon(value)
  if (imported.length > MOST)
    throw new EngineError(
      'INPUT_INVALID',
      `${name} has ${formatCount(imported.length, 'threat')}; at most ${MOST} are read.`,
    )
  const threats = new Map(document.threats.map(threat => [threat.id, threat]))
  const counts = { updated: 0, added: 0, skipped: 0 }
  for (const each of imported) {
    const known = threats.get(each.id)
    if (known === undefined && each.stride === undefined) {
      counts.skipped++
      continue
    }
    if (known !== undefined) {
      if (each.status !== 'mitigated' || known.status === 'mitigated') continue
      threats.set(known.id, {
        ...known,
        status: 'mitigated',
        mitigated_at: now,
        ...(by && { mitigated_by: by }),
        ...takeNote(each),
      })
      counts.updated++
      continue
    }
    const threat = makeThreat(each, each.stride!, now)
    if (threats.has(threat.id)) continue
    threats.set(threat.id, threat)
    counts.added++
  }
  return { document: { ...document, threats: [...threats.values()] }, format, ...counts }
}

function makeThreat(each: ImportedThreat, stride: Stride, now: string): Threat {
  const { element, component, title, description, mitigation, likelihood, severity, cwe, status } = each
  return {
    id: /^TM-[0-9a-f]{10}$/.test(each.id)
      ? each.id
      : makeId('TM', { category: stride, file: '', symbol: element, summary: `${title} ${each.id}` }),
    ...{
      stride,
      rule: 'import',
      source: 'import',
      element,
      component: component.slice(0, 200),
      title: title.slice(0, 300),
    },
    ...{
      description: description.slice(0, 4000),
      attack_vector: '',
      impact: '',
      likelihood,
      severity,
      mitigation: mitigation.slice(0, 4000),
    },
    ...{ cwe: cwe.slice(0, 20), places: [], rules: [], findings: [], controls_seen: [], confidence: 0.9, digest: '' },
    ...{ status, first_seen: now, ...(status === 'mitigated' && { mitigated_at: now }), ...takeNote(each) },
  }
}

function takeNote({ note }: ImportedThreat): { mitigation_note?: string } {
  return note === undefined ? {} : { mitigation_note: note.slice(0, 2000) }
}

function parse(text: string, name: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch (cause) {
    throw new EngineError('INPUT_INVALID', `${name} is no JSON.`, { cause })
  }
  throw new EngineError('INPUT_INVALID', `${name} is no JSON object.`)
}
