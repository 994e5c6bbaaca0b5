import type { ComponentType } from 'preact'
import type { RunSummary } from './runs.ts'

/** What a page is given. */
export interface PageProps {
  /** The run that is shown. */
  run: RunSummary
  query: URLSearchParams
}

/** A page of the dashboard: its code is loaded when it is first opened. */
export interface Page {
  title: string
  group: (typeof GROUPS)[number]
  /** Shown where no run is stored: `run` is undefined then. */
  always?: true
  /** Left out of the navigation: it is reached from another page. */
  hidden?: true
  load(): Promise<{ default: ComponentType<PageProps> }>
}

/** The groups of the navigation, in its order. */
export const GROUPS = ['Code', 'Compliance', 'History', 'Agents', 'Setup'] as const

/** The pages by their name in the address, in the order of their group. */
export const PAGES: Readonly<Record<string, Page>> = {
  overview: { title: 'Overview', group: 'Code', load: () => import('../pages/overview.tsx') },
  findings: { title: 'Findings', group: 'Code', load: () => import('../pages/findings.tsx') },
  finding: { title: 'Finding', group: 'Code', hidden: true, load: () => import('../pages/finding.tsx') },
  files: { title: 'Files', group: 'Code', load: () => import('../pages/files.tsx') },
  dependencies: { title: 'Dependencies', group: 'Code', load: () => import('../pages/dependencies.tsx') },
  secrets: { title: 'Secrets', group: 'Code', load: () => import('../pages/secrets.tsx') },
  architecture: { title: 'Architecture', group: 'Code', load: () => import('../pages/architecture.tsx') },
  quality: { title: 'Quality', group: 'Code', load: () => import('../pages/quality.tsx') },
  compliance: { title: 'Compliance', group: 'Compliance', load: () => import('../pages/compliance.tsx') },
  requirements: { title: 'Requirements', group: 'Compliance', load: () => import('../pages/requirements.tsx') },
  evidence: { title: 'Evidence', group: 'Compliance', load: () => import('../pages/evidence.tsx') },
  threats: { title: 'Threats', group: 'Compliance', load: () => import('../pages/threats.tsx') },
  decisions: { title: 'Decisions', group: 'Compliance', load: () => import('../pages/decisions.tsx') },
  compare: { title: 'Comparison', group: 'History', hidden: true, load: () => import('../pages/compare.tsx') },
  runs: { title: 'Runs', group: 'History', load: () => import('../pages/runs.tsx') },
  posture: { title: 'Posture', group: 'History', load: () => import('../pages/posture.tsx') },
  gaps: { title: 'Gaps', group: 'History', load: () => import('../pages/gaps.tsx') },
  rule: { title: 'Rule', group: 'Setup', hidden: true, always: true, load: () => import('../pages/rule.tsx') },
  rules: { title: 'Rules', group: 'Setup', always: true, load: () => import('../pages/rules.tsx') },
  agents: { title: 'Agents', group: 'Agents', always: true, load: () => import('../pages/agents.tsx') },
  approvals: { title: 'Approvals', group: 'Agents', always: true, load: () => import('../pages/approvals.tsx') },
  audit: { title: 'Audit log', group: 'Agents', always: true, load: () => import('../pages/audit.tsx') },
  configuration: {
    title: 'Configuration',
    group: 'Setup',
    always: true,
    load: () => import('../pages/configuration.tsx'),
  },
  providers: { title: 'Providers', group: 'Setup', always: true, load: () => import('../pages/providers.tsx') },
  organization: {
    title: 'Organization',
    group: 'Setup',
    always: true,
    load: () => import('../pages/organization.tsx'),
  },
}
