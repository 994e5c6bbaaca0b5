import { type ControlRef, rankSeverity, type Severity } from '../../base/records/finding.ts'
import { ARCHITECTURE_PATHS, LEGACY_PATH, POLICIES_PATHS } from '../../sources/config/paths.ts'
import type { RequirementStatus } from '../requirements/model.ts'
import type { ChangedFile, ImpactChange } from './change.ts'

export const RISKS = ['high', 'medium', 'low'] as const
export type Risk = (typeof RISKS)[number]

/** What the latest run found in a file. */
export interface ImpactFinding {
  rule_id: string
  severity: Severity
  file: string
  controls: readonly ControlRef[]
}

/** A requirement with the files that it is linked to. */
export interface ImpactRequirement {
  id: string
  title: string
  status: RequirementStatus
  controls: readonly string[]
  code: ReadonlySet<string>
  tests: ReadonlySet<string>
  isConfirmed: boolean
}

export interface ImpactInput {
  change: ImpactChange
  /** Files that import a file, directly. */
  importers: ReadonlyMap<string, readonly string[]>
  isTest: (path: string) => boolean
  requirements: readonly ImpactRequirement[]
  /** How many requirements the files have that requirements are read from. */
  sources: ReadonlyMap<string, number>
  /** Of the latest run; undefined where none is stored. */
  findings: readonly ImpactFinding[] | undefined
  /** Changed files whose imports or links are unknown, with the reason. */
  unread: ReadonlyMap<string, string>
  /** Requirements that cannot be read: whether they are affected is unknown. */
  unknown: readonly { file: string; reason: string }[]
}

export interface FileImpact extends ChangedFile {
  risk: Risk
  reasons: string[]
  /** Files that import it: directly, and in all. */
  importers: number
  dependents: number
  rules: { id: string; severity: Severity; via: 'file' | 'importer' }[]
  requirements: string[]
  tests: string[]
  /** Critical or high rules are affected, or a confirmed requirement is. */
  revalidate: boolean
}

export interface Impact {
  scope: string
  risk: Risk
  revalidate: boolean
  files: FileImpact[]
  rules: { id: string; severity: Severity; files: string[] }[]
  requirements: {
    id: string
    title: string
    status: RequirementStatus
    files: string[]
    via: 'code' | 'import' | 'test'
    revalidate: boolean
  }[]
  /** Test files to run. */
  tests: string[]
  frameworks: { framework: string; controls: string[] }[]
  not_evaluated: { file: string; reason: string }[]
}

/** So many files that depend on a changed one make the risk medium, and high. */
const MANY = 5
const VERY_MANY = 50
/** Files, tests and requirements that one file lists. */
const LISTED = 200

/**
 * What a change affects. Requirements: those linked to a changed file, or to code that imports it. Tests: linked ones, and those that import it,
 * however far. Rules: those with findings in the file, or in files that import it directly. The same input gives the same answer.
 */
export function computeImpact(input: ImpactInput): Impact {
  const { change, findings, unread } = input
  const byCode = new Map<string, ImpactRequirement[]>()
  const byTest = new Map<string, ImpactRequirement[]>()
  for (const requirement of input.requirements) {
    for (const file of requirement.code) put(byCode, file, requirement)
    for (const file of requirement.tests) put(byTest, file, requirement)
  }
  const byFile = new Map<string, ImpactFinding[]>()
  for (const finding of findings ?? []) put(byFile, finding.file, finding)
  const all = new Map<string, Impact['requirements'][number]>()
  const frameworks = new Map<string, Set<string>>()
  const tests = new Set<string>()
  const rules = new Map<string, Impact['rules'][number]>()
  const files = change.files.map((changed): FileImpact => {
    const { file } = changed
    const direct = input.importers.get(file) ?? []
    const dependents = listDependents(file, input.importers)
    const own = new Set(byCode.get(file) ?? [])
    const ids = new Map<ImpactRequirement, 'code' | 'import' | 'test'>()
    for (const requirement of own) ids.set(requirement, 'code')
    for (const requirement of byTest.get(file) ?? []) if (!ids.has(requirement)) ids.set(requirement, 'test')
    for (const dependent of dependents)
      for (const requirement of byCode.get(dependent) ?? []) if (!ids.has(requirement)) ids.set(requirement, 'import')
    const linkedTests = [...ids.keys()].flatMap(({ tests: linked }) => [...linked])
    const ownTests = new Set([
      ...dependents.filter(input.isTest),
      ...linkedTests,
      ...(input.isTest(file) && changed.change !== 'deleted' ? [file] : []),
    ])
    const found = [
      ...(byFile.get(file) ?? []).map(finding => ({ finding, via: 'file' as const })),
      ...direct.flatMap(each => (byFile.get(each) ?? []).map(finding => ({ finding, via: 'importer' as const }))),
    ]
    for (const { finding } of found) {
      const known = rules.get(finding.rule_id) ?? { id: finding.rule_id, severity: finding.severity, files: [] }
      rules.set(finding.rule_id, known)
      if (rankSeverity(finding.severity) < rankSeverity(known.severity)) known.severity = finding.severity
      if (!known.files.includes(file) && known.files.length < LISTED) known.files.push(file)
      for (const { framework, control } of finding.controls) addControl(frameworks, framework, control)
    }
    const fileRules = listRules(found)
    const isConfirmed = [...own].some(each => each.isConfirmed && each.status !== 'obsolete')
    const isSevere = fileRules.some(({ severity }) => rankSeverity(severity) <= 1)
    for (const [requirement, via] of ids) {
      const { id, title, status, controls } = requirement
      const known = all.get(id) ?? { id, title, status, files: [], via, revalidate: false }
      all.set(id, known)
      if (known.files.length < LISTED) known.files.push(file)
      if (via === 'code') known.via = 'code'
      known.revalidate ||= via === 'code' && requirement.isConfirmed && status !== 'obsolete'
      for (const control of controls) {
        const colon = control.indexOf(':')
        addControl(frameworks, control.slice(0, colon), control.slice(colon + 1))
      }
    }
    for (const test of ownTests) tests.add(test)
    const facts = {
      ...{ changed, direct: direct.length, dependents: dependents.length, rules: fileRules, isConfirmed },
      ...{
        linked: [...own],
        hasRun: findings !== undefined,
        unread: unread.get(file),
        own: input.sources.get(file),
        unknown: input.unknown.length,
        hasTests: ownTests.size > 0,
      },
    }
    return {
      ...changed,
      ...judge(facts),
      ...{ importers: direct.length, dependents: dependents.length, rules: fileRules.slice(0, LISTED) },
      requirements: [...ids.keys()].map(({ id }) => id).slice(0, LISTED),
      tests: [...ownTests].sort().slice(0, LISTED),
      revalidate: isSevere || isConfirmed,
    }
  })
  const risk = RISKS.find(each => files.some(file => file.risk === each)) ?? 'low'
  return {
    ...{ scope: change.scope, risk, revalidate: files.some(file => file.revalidate), files },
    rules: [...rules.values()].sort(
      (a, b) => rankSeverity(a.severity) - rankSeverity(b.severity) || (a.id < b.id ? -1 : 1),
    ),
    requirements: [...all.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    tests: [...tests].sort(),
    frameworks: [...frameworks]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([framework, controls]) => ({ framework, controls: [...controls].sort() })),
    not_evaluated: [
      ...input.unknown,
      ...change.files.flatMap(({ file }) => (unread.has(file) ? [{ file, reason: unread.get(file)! }] : [])),
      ...(findings === undefined
        ? [{ file: '', reason: 'no run of the whole repository is stored: affected rules are unknown' }]
        : []),
    ],
  }
}

interface Facts {
  changed: ChangedFile
  direct: number
  dependents: number
  rules: FileImpact['rules']
  isConfirmed: boolean
  linked: readonly ImpactRequirement[]
  hasRun: boolean
  unread: string | undefined
  /** Requirements that are read from it. */
  own: number | undefined
  /** Faults of requirements that cannot be read. */
  unknown: number
  hasTests: boolean
}

/** Whether a file configures svc: packs, rules, gate, baseline, suppressions, policies. Folders have their own. */
function decidesTheGate(path: string): boolean {
  return (
    /(?:^|\/)\.svc\//.test(path) || [LEGACY_PATH, ...POLICIES_PATHS, ...ARCHITECTURE_PATHS].some(each => path === each)
  )
}

/** The risk of a file with every reason for it; what is unknown is never low. */
function judge({
  changed,
  direct,
  dependents,
  rules,
  isConfirmed,
  linked,
  hasRun,
  unread,
  own,
  unknown,
  hasTests,
}: Facts) {
  const high: string[] = []
  const medium: string[] = []
  const severe = rules.filter(({ severity, via }) => via === 'file' && rankSeverity(severity) <= 1)
  if (decidesTheGate(changed.file)) high.push('it decides what svc reports and what the gate accepts')
  if (severe.length > 0) high.push(`${severe[0]!.severity} rule ${severe[0]!.id} has findings in it`)
  if (dependents >= VERY_MANY) high.push(`${dependents} files depend on it`)
  else if (dependents >= MANY) medium.push(`${dependents} files depend on it`)
  if (changed.change === 'deleted' && direct > 0) high.push(`it is deleted, and ${direct} files import it`)
  const controlled = linked.find(({ controls, status }) => controls.length > 0 && status === 'approved')
  if (controlled && !hasTests) high.push(`${controlled.id} meets ${controlled.controls[0]}, and no test is linked`)
  else if (controlled) medium.push(`${controlled.id} meets ${controlled.controls[0]}`)
  else if (linked.length > 0) medium.push(`it implements ${linked[0]!.id}`)
  if (own !== undefined) medium.push(`${own} requirements are read from it`)
  if (isConfirmed) medium.push('a confirmed requirement must be confirmed again')
  const indirect = rules.find(({ severity, via }) => via === 'importer' && rankSeverity(severity) <= 1)
  if (indirect) medium.push(`${indirect.severity} rule ${indirect.id} has findings in a file that imports it`)
  if (unread !== undefined) medium.push(`its imports are unknown: ${unread}`)
  if (unknown > 0) medium.push('some requirements cannot be read')
  if (!hasRun) medium.push('no run is stored, so affected rules are unknown')
  const risk: Risk = high.length > 0 ? 'high' : medium.length > 0 ? 'medium' : 'low'
  const reasons = [...high, ...medium]
  return { risk, reasons: reasons.length > 0 ? reasons : ['no known dependency on it'] }
}

function listRules(found: readonly { finding: ImpactFinding; via: 'file' | 'importer' }[]): FileImpact['rules'] {
  const rules = new Map<string, FileImpact['rules'][number]>()
  for (const { finding, via } of found) {
    const key = `${finding.rule_id}\0${via}`
    const known = rules.get(key)
    if (!known) rules.set(key, { id: finding.rule_id, severity: finding.severity, via })
    else if (rankSeverity(finding.severity) < rankSeverity(known.severity)) known.severity = finding.severity
  }
  return [...rules.values()].sort(
    (a, b) => rankSeverity(a.severity) - rankSeverity(b.severity) || (a.id < b.id ? -1 : 1),
  )
}

/** Every file that imports a file, however far; without the file itself. */
function listDependents(file: string, importers: ReadonlyMap<string, readonly string[]>): string[] {
  const seen = new Set([file])
  const work = [file]
  for (let next = work.pop(); next !== undefined; next = work.pop())
    for (const each of importers.get(next) ?? [])
      if (!seen.has(each)) {
        seen.add(each)
        work.push(each)
      }
  seen.delete(file)
  return [...seen]
}

function put<T>(into: Map<string, T[]>, key: string, value: T): void {
  const list = into.get(key)
  if (list) list.push(value)
  else into.set(key, [value])
}

function addControl(frameworks: Map<string, Set<string>>, framework: string, control: string): void {
  const known = frameworks.get(framework) ?? new Set()
  frameworks.set(framework, known)
  known.add(control)
}
