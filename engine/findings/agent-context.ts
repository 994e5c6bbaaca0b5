import type { Finding, Severity } from '../base/records/finding.ts'
import { rankSeverity, SEVERITIES } from '../base/records/finding.ts'
import { combineForms, groupForms } from '../base/records/forms.ts'
import { resolveRuleId } from '../base/records/rule-ids.ts'
import type { Run } from '../base/records/run.ts'
import { cut } from '../base/text/words.ts'
import type { Pack } from '../sources/packs/pack.ts'
import type { Summary } from '../sources/store/counts.ts'

/** Sizes that keep the document below 50,000 characters however large the repository is; most are a fifth of that. */
const MOST_FILES = 30
const MOST_FINDINGS_PER_FILE = 5
const MOST_RULES = 40
const MOST_LANGUAGES = 15
const MOST_TITLE = 120
const MOST_REMEDY = 240

/** What a coding agent should know of a repository before it writes code there: out/agent_context.json. */
export interface AgentContext {
  project: { name: string; git_sha?: string; branch?: string; run_id: string; scanned_at: string; score?: number }
  /** Files by language, most first. */
  languages: Record<string, number>
  packs: { id: string; version: string }[]
  /** Frameworks that the active packs map, with the open findings that bear on each. */
  frameworks: { id: string; name: string; open_findings: number }[]
  gate: { fail_on: Severity[]; passed?: boolean; reasons?: string[] }
  open_findings: {
    total: number
    by_severity: Record<Severity, number>
    files: { file: string; findings: { line: number; severity: Severity; rule_id: string; title: string }[] }[]
    /** Open findings that are not in `files`, for want of room. */
    not_listed: number
  }
  /** Rules that new code must keep to: those that are broken here first, then the gravest of the languages used. */
  rules: { id: string; severity: Severity; title: string; how: string }[]
  commands: { command: string; does: string }[]
}

/** The parts that the document is put together from. */
export interface AgentContextParts {
  run: Run
  summary: Summary
  /** Open findings, worst first; more than fit are cut. */
  findings: readonly Finding[]
  packs: readonly Pack[]
  fail_on: readonly Severity[]
}

/** The agent's document for a run; the same run gives the same document. */
export function buildAgentContext({ run, summary, findings, packs, fail_on }: AgentContextParts): AgentContext {
  const files = byFile(findings)
  const listed = files.reduce((sum, file) => sum + file.findings.length, 0)
  return {
    project: {
      name: run.root_name,
      ...(run.git_sha !== undefined && { git_sha: run.git_sha }),
      ...(run.branch !== undefined && { branch: run.branch }),
      run_id: run.id,
      scanned_at: run.finished_at,
      ...(run.score !== undefined && { score: run.score }),
    },
    languages: Object.fromEntries(
      Object.entries(run.counts.languages)
        .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
        .slice(0, MOST_LANGUAGES),
    ),
    packs: run.packs.map(({ id, version }) => ({ id, version })),
    frameworks: frameworksOf(run, packs, summary),
    gate: { fail_on: [...fail_on], ...(run.gate && { passed: run.gate.passed, reasons: run.gate.reasons }) },
    open_findings: {
      total: summary.open,
      by_severity: Object.fromEntries(SEVERITIES.map(severity => [severity, summary[severity]])) as Record<
        Severity,
        number
      >,
      files,
      not_listed: summary.open - listed,
    },
    rules: rulesToKeep(run, packs, findings),
    commands: COMMANDS.map(([command, does]) => ({ command, does })),
  }
}

const COMMANDS = [
  ['svc scan', 'scan the repository; findings go to out/findings.json'],
  ['svc gate', 'evaluate the gate; exit code 1 if it fails'],
  ['svc compare', 'show what is new and resolved since the run before'],
  ['svc next-action --limit 1 --json', 'show the finding to fix first, with its fix'],
  ['svc explain RULE_ID', 'explain a rule, with examples that violate it and that pass'],
] as const

function byFile(findings: readonly Finding[]): AgentContext['open_findings']['files'] {
  const files = new Map<string, AgentContext['open_findings']['files'][number]>()
  for (const { file, line, severity, rule_id, title } of findings) {
    if (!files.has(file) && files.size === MOST_FILES) continue
    const entry = files.get(file) ?? { file, findings: [] }
    files.set(file, entry)
    if (entry.findings.length < MOST_FINDINGS_PER_FILE)
      entry.findings.push({ line, severity, rule_id, title: cut(title, MOST_TITLE) })
  }
  return [...files.values()]
}

function frameworksOf(run: Run, packs: readonly Pack[], summary: Summary): AgentContext['frameworks'] {
  const active = new Set(run.packs.map(({ id }) => id))
  const open = new Map<string, number>()
  for (const { framework, count } of summary.frameworks) open.set(framework, count)
  return packs.flatMap(({ id, framework }) =>
    framework && active.has(id)
      ? [
          {
            id: framework.id,
            name: `${framework.name} ${framework.edition}`,
            open_findings: open.get(framework.id) ?? 0,
          },
        ]
      : [],
  )
}

function rulesToKeep(run: Run, packs: readonly Pack[], findings: readonly Finding[]): AgentContext['rules'] {
  const active = new Set(run.packs.map(({ id }) => id))
  const used = new Set(['any', ...Object.keys(run.counts.languages)])
  const broken = new Set(findings.map(({ rule_id }) => resolveRuleId(rule_id)))
  const rules = packs
    .filter(({ id }) => active.has(id))
    .flatMap(pack => pack.rules)
    .filter(({ id, languages }) => broken.has(id) || languages.some(language => used.has(language)))
  return [...groupForms(rules).values()]
    .map(combineForms)
    .sort(
      (a, b) =>
        Number(broken.has(b.id)) - Number(broken.has(a.id)) ||
        rankSeverity(a.severity) - rankSeverity(b.severity) ||
        (a.id < b.id ? -1 : 1),
    )
    .slice(0, MOST_RULES)
    .map(({ id, severity, title, remediation }) => ({
      id,
      severity,
      title,
      how: cut(remediation.replaceAll(/\s+/g, ' ').trim(), MOST_REMEDY),
    }))
}
