import { createHash } from 'node:crypto'
import type { DataFlowModel, Flow, FoundThreat, Level, ModelElement } from './model.ts'
import type { StrideRow } from './stride-row.ts'
import { STRIDE_TABLE } from './stride-table.ts'
import { findUnit } from './units.ts'

/** What else is known of weaknesses: rules that search for them, and open findings of the last scan. */
export interface Knowledge {
  rulesOf(cwe: readonly string[]): string[]
  /** `isOf` says which files count; undefined for all. */
  findingsOf(cwe: readonly string[], isOf: ((file: string) => boolean) | undefined): string[]
}

export const NO_KNOWLEDGE: Knowledge = { rulesOf: () => [], findingsOf: () => [] }

const LESS: Record<Level, Level> = { high: 'medium', medium: 'low', low: 'low' }

/** The threats of a model by the tables. Findings that bear on a threat make it likely; controls make it less likely and close nothing. */
export function deriveThreats(
  model: DataFlowModel,
  knowledge: Knowledge,
  table: readonly StrideRow[] = STRIDE_TABLE,
): FoundThreat[] {
  const byId = new Map(model.elements.map(element => [element.id, element]))
  const directories = new Set(model.elements.flatMap(({ directory }) => directory ?? []))
  const threats: FoundThreat[] = []
  for (const element of model.elements) {
    const facts = new Set([...element.facts, `zone:${element.zone}`])
    for (const row of table)
      if (row.on.includes(element.kind) && holds(row, facts))
        threats.push(makeThreat(row, element, element.name, facts, knowledge, directories))
  }
  for (const flow of model.flows) {
    const [from, to] = [byId.get(flow.from), byId.get(flow.to)]
    if (!from || !to) continue
    const facts = new Set([...flow.facts, `from:${from.zone}`, `to:${to.zone}`, ...(flow.crosses ? ['crosses'] : [])])
    const name = `${from.name} → ${to.name}`
    // A flow has the controls of the process that takes part in it.
    const controls = new Set([
      ...facts,
      ...(from.kind === 'process' ? from.facts : []),
      ...(to.kind === 'process' ? to.facts : []),
    ])
    for (const row of table)
      if (row.on.includes('flow') && holds(row, facts))
        threats.push(makeThreat(row, flow, name, controls, knowledge, directories))
  }
  return threats
}

function holds({ when, unless = [] }: StrideRow, facts: ReadonlySet<string>): boolean {
  return when.every(fact => facts.has(fact)) && !unless.some(fact => facts.has(fact))
}

function makeThreat(
  row: StrideRow,
  subject: ModelElement | Flow,
  component: string,
  facts: ReadonlySet<string>,
  knowledge: Knowledge,
  directories: ReadonlySet<string>,
): FoundThreat {
  const { places } = subject
  const { id, stride, title, description, attack_vector, impact, severity, mitigation, cwe, controls = [] } = row
  const findings = knowledge.findingsOf(cwe, isFileOf(subject, directories))
  const seen = controls.filter(control => facts.has(control))
  const controls_seen = seen.map(control => {
    const place = places.find(({ what }) => what === control || (control === 'auth' && what === 'authentication'))
    return place ?? { file: '', line: 0, what: control }
  })
  const likelihood: Level = findings.length > 0 ? 'high' : seen.length > 0 ? LESS[row.likelihood] : row.likelihood
  return {
    ...{
      stride,
      rule: id,
      source: 'rule',
      element: subject.id,
      component,
      title: title.replaceAll('{name}', component),
    },
    ...{ description, attack_vector, impact, likelihood, severity, mitigation, cwe: [...cwe] },
    places: places.slice(0, 20),
    ...{ rules: knowledge.rulesOf(cwe), findings, controls_seen, confidence: 1 },
    digest: digestElement(subject),
  }
}

/** Which files show an element: those of its places, and of a process all that its directory has and no other process. */
function isFileOf(
  { places, ...subject }: ModelElement | Flow,
  directories: ReadonlySet<string>,
): ((file: string) => boolean) | undefined {
  const own = 'directory' in subject ? subject.directory : undefined
  const files = new Set(places.map(({ file }) => file))
  if (own !== undefined) return file => files.has(file) || findUnit(file, directories) === own
  return files.size === 0 ? undefined : file => files.has(file)
}

/** A digest of what an element or flow is: its ways in, facts and what shows it, lines aside. */
export function digestElement(subject: ModelElement | Flow): string {
  const entries =
    'entry_points' in subject ? subject.entry_points.map(({ method, path, file }) => `${method} ${path} ${file}`) : []
  const places = subject.places.map(({ file, what }) => `${file} ${what}`)
  const text = JSON.stringify([
    subject.id,
    [...new Set(subject.facts)].sort(),
    [...new Set(entries)].sort(),
    [...new Set(places)].sort(),
  ])
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
