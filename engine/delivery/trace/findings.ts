import { detectLanguage, isTestPath } from '../../base/languages/languages.ts'
import type { Category, Finding, Severity } from '../../base/records/finding.ts'
import { computeFingerprint } from '../../base/records/fingerprint.ts'
import { DRIFT_CONFIDENCE, type Drift } from '../drift/detect.ts'
import type { TraceProblem } from './matrix.ts'

interface Text {
  title: string
  severity: Severity
  remediation: string
}

const PROBLEMS: Readonly<Record<TraceProblem['kind'] | 'orphan', Text>> = {
  invalid: {
    ...{ title: 'Invalid requirement', severity: 'medium' },
    remediation: 'Correct what the message names; docs/requirements.md describes each format.',
  },
  duplicate: {
    ...{ title: 'Duplicate requirement id', severity: 'medium' },
    remediation: 'Give one of the two requirements another id, and change the links to it.',
  },
  unknown_parent: {
    ...{ title: 'Unknown parent requirement', severity: 'medium' },
    remediation: 'Correct the id of the parent, or remove it.',
  },
  dangling: {
    ...{ title: 'Link to a requirement that does not exist', severity: 'medium' },
    remediation: 'Correct the id in the comment, or add the requirement.',
  },
  outdated: {
    ...{ title: 'Link to an outdated revision of a requirement', severity: 'low' },
    remediation: 'Compare the code with the new revision, then write its number into the link.',
  },
  obsolete: {
    ...{ title: 'Link to an obsolete requirement', severity: 'low' },
    remediation: 'Remove the code, or link it to the requirement that applies now.',
  },
  no_file: {
    ...{ title: 'Requirement linked to no file', severity: 'medium' },
    remediation: 'Correct the glob: the files were moved or removed.',
  },
  cycle: {
    ...{ title: 'Requirement among its own ancestors', severity: 'medium' },
    remediation: 'Remove one of the parents in the circle.',
  },
  orphan: {
    ...{ title: 'Code without a requirement', severity: 'low' },
    remediation: 'Name the requirement in a comment (`@req <id>`), or in `files` of the requirement.',
  },
}

const DRIFTS: Readonly<Record<Drift['type'], Text>> = {
  behavioral: {
    ...{ title: 'Requirement drift: behavior changed', severity: 'medium' },
    remediation:
      'Compare the code with the requirement, correct one of them, then run `svc verify-reqs --confirm <id>`.',
  },
  structural: {
    ...{ title: 'Requirement drift: structure changed', severity: 'medium' },
    remediation:
      'Compare the code with the requirement, correct one of them, then run `svc verify-reqs --confirm <id>`.',
  },
  cross_file: {
    ...{ title: 'Requirement drift: another file changed', severity: 'low' },
    remediation:
      'Compare the code with the requirement, correct one of them, then run `svc verify-reqs --confirm <id>`.',
  },
  acceptance_criteria: {
    ...{ title: 'Requirement drift: the requirement changed', severity: 'medium' },
    remediation: 'Check that the code does what is required now, then run `svc verify-reqs --confirm <id>`.',
  },
}

/** What is wrong with requirements and links, and code without one, as findings `requirements:<kind>`. */
export function toTraceFindings(problems: readonly TraceProblem[], orphans: readonly string[]): Finding[] {
  const make = makeFinding('requirements', 'policy', 1)
  return [
    ...problems.map(({ kind, id = '', file, line, column, message }) =>
      make(kind.replaceAll('_', '-'), PROBLEMS[kind], { file, line, column, message, subject: id || message }),
    ),
    ...orphans.map(file =>
      make('orphan', PROBLEMS.orphan, {
        ...{ file, line: 1, column: 1, subject: '' },
        message: 'The file must be linked to a requirement (requirements.require_links), and is not.',
      }),
    ),
  ]
}

/** Drift as findings `drift:<type>`. */
export function toDriftFindings(drifts: readonly Drift[]): Finding[] {
  const make = makeFinding('drift', 'drift', DRIFT_CONFIDENCE)
  return drifts.map(({ id, title, type, file, line, symbol = '', message, confirmed_at }) =>
    make(type.replaceAll('_', '-'), DRIFTS[type], {
      ...{ file, line, column: 1, subject: `${id} ${symbol} ${message}` },
      message: `${message} ${id} (${title}) was confirmed ${confirmed_at}.`,
    }),
  )
}

function makeFinding(pack: string, category: Category, confidence: number) {
  const seen = new Map<string, number>()
  return (
    rule: string,
    { title, severity, remediation }: Text,
    at: { file: string; line: number; column: number; message: string; subject: string },
  ): Finding => {
    const rule_id = `${pack}:${rule}`
    const { file, line, column, message, subject } = at
    const key = `${rule_id}\0${file}\0${subject}`
    const index = seen.get(key) ?? 0
    seen.set(key, index + 1)
    const fingerprint = computeFingerprint(rule_id, file, subject, index)
    return {
      ...{ id: `F-${fingerprint.slice(0, 12)}`, fingerprint, rule_id, pack_id: pack },
      ...{ title, message, remediation, severity, base_severity: severity, category },
      ...{ language: detectLanguage(file) ?? 'text', tags: [], cwe: [], controls: [] },
      ...{ file, line, column, end_line: line, end_column: column, snippet: '' },
      ...{ confidence, deterministic: true, is_obligation: false, in_test: isTestPath(file), status: 'open' },
    }
  }
}
