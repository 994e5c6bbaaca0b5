import type { ControlState } from '../../base/records/framework.ts'
import { formatCount } from '../../base/text/words.ts'
import type { AssessedControl, AssessedFramework, Assessment, RuleOutcome } from './assessment.ts'

/** One piece of evidence, and every control that rests on it. */
export interface MapEntry {
  kind: 'rules' | 'document' | 'human'
  title: string
  /** Rule ids, a file, or a file or link that a person vouches for. */
  sources: string[]
  /** What it is worth: of rules how many ran, of a person's evidence its state. */
  state: string
  /** The person who vouches; null for what a program observed. */
  person: string | null
  /** Ids of controls by framework id. */
  controls: Record<string, string[]>
}

/** A control with the numbers of the entries it rests on, from 0. */
export interface MapControl {
  framework: string
  id: string
  title: string
  state: ControlState
  rests_on: number[]
}

export interface EvidenceMap {
  run_id: string
  generated_at: string
  frameworks: { id: string; name: string }[]
  entries: MapEntry[]
  controls: MapControl[]
  /** How many controls have no evidence. */
  unsupported: number
}

interface Draft extends MapEntry {
  at: Set<string>
}

/**
 * Which control rests on which evidence, over all assessed frameworks. Rules that bear on the same controls are one entry, since there are
 * thousands; a document and a person's evidence are one each.
 */
export function makeEvidenceMap({ run, generated_at, frameworks }: Assessment): EvidenceMap {
  const drafts = [...groupRules(frameworks), ...listDocuments(frameworks), ...listVouched(frameworks)]
  const entries = drafts.map(({ at: _, ...entry }) => entry)
  const byControl = new Map<string, number[]>()
  for (const [place, { kind, at }] of drafts.entries()) {
    // A file that could be evidence is none until a person vouches for it.
    if (kind === 'document') continue
    for (const key of at) {
      const places = byControl.get(key)
      if (places) places.push(place)
      else byControl.set(key, [place])
    }
  }
  const controls = frameworks.flatMap(framework =>
    framework.controls.map(({ id, title, state }) => ({
      framework: framework.id,
      id,
      title,
      state,
      rests_on: byControl.get(makeKey(framework.id, id)) ?? [],
    })),
  )
  return {
    run_id: run.id,
    generated_at,
    frameworks: frameworks.map(({ id, name }) => ({ id, name })),
    entries,
    controls,
    unsupported: controls.filter(({ rests_on }) => rests_on.length === 0).length,
  }
}

/** Rules by the set of controls that they bear on, the sets with most rules first. Rules without a file are evidence of nothing. */
function groupRules(frameworks: readonly AssessedFramework[]): Draft[] {
  const rules = new Map<string, { title: string; outcome: RuleOutcome; at: Set<string> }>()
  for (const { framework, control } of listControls(frameworks))
    for (const { id, title, outcome } of control.rules) {
      if (outcome === 'no_files') continue
      const rule = rules.get(id) ?? { title, outcome, at: new Set<string>() }
      rule.at.add(makeKey(framework.id, control.id))
      rules.set(id, rule)
    }
  const groups = new Map<string, { rules: { id: string; title: string }[]; missing: number; at: Set<string> }>()
  for (const [id, { title, outcome, at }] of rules) {
    const key = [...at].sort().join('\n')
    const group = groups.get(key) ?? { rules: [], missing: 0, at }
    group.rules.push({ id, title })
    if (outcome === 'not_evaluated') group.missing++
    groups.set(key, group)
  }
  return [...groups.values()]
    .map(group => ({ ...group, rules: group.rules.sort((a, b) => (a.id < b.id ? -1 : 1)) }))
    .sort((a, b) => b.rules.length - a.rules.length || (a.rules[0]!.id < b.rules[0]!.id ? -1 : 1))
    .map(({ rules: own, missing, at }) => ({
      kind: 'rules',
      title: own.length === 1 ? own[0]!.title : `${own[0]!.title}, and ${formatCount(own.length - 1, 'other rule')}`,
      sources: own.map(({ id }) => id),
      state: missing === 0 ? 'evaluated' : `${missing} of ${own.length} not evaluated`,
      person: null,
      controls: groupControls(at),
      at,
    }))
}

function listDocuments(frameworks: readonly AssessedFramework[]): Draft[] {
  const documents = new Map<string, { title: string; at: Set<string> }>()
  for (const { framework, control } of listControls(frameworks))
    for (const { title, files } of control.obligations)
      for (const file of files) {
        const document = documents.get(file) ?? { title, at: new Set<string>() }
        document.at.add(makeKey(framework.id, control.id))
        documents.set(file, document)
      }
  return [...documents]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, { title, at }]) => ({
      ...{
        kind: 'document' as const,
        title,
        sources: [file],
        state: 'possible: no person vouches for it',
        person: null,
      },
      ...{ controls: groupControls(at), at },
    }))
}

function listVouched(frameworks: readonly AssessedFramework[]): Draft[] {
  const vouched = new Map<string, Draft>()
  for (const { framework, control } of listControls(frameworks))
    for (const { title, file, url, owner, state } of control.evidence) {
      const source = file ?? url!
      const key = [source, title, owner, state].join('\n')
      const draft = vouched.get(key) ?? {
        ...{ kind: 'human' as const, title, sources: [source], state: state.replaceAll('_', ' '), person: owner },
        ...{ controls: {}, at: new Set<string>() },
      }
      draft.at.add(makeKey(framework.id, control.id))
      draft.controls = groupControls(draft.at)
      vouched.set(key, draft)
    }
  return [...vouched.values()]
}

function listControls(
  frameworks: readonly AssessedFramework[],
): { framework: AssessedFramework; control: AssessedControl }[] {
  return frameworks.flatMap(framework => framework.controls.map(control => ({ framework, control })))
}

function groupControls(keys: ReadonlySet<string>): Record<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const key of keys) {
    const [framework, control] = key.split('\0') as [string, string]
    const group = groups.get(framework)
    if (group) group.push(control)
    else groups.set(framework, [control])
  }
  return Object.fromEntries([...groups].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function makeKey(framework: string, control: string): string {
  return `${framework}\0${control}`
}
