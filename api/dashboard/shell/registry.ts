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
  /** Shows how things are now, whatever run is chosen. */
  present?: true
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
  dependencies: {
    present: true,
    title: 'Dependencies',
    group: 'Code',
    load: () => import('../pages/dependencies.tsx'),
  },
  secrets: { present: true, title: 'Secrets', group: 'Code', load: () => import('../pages/secrets.tsx') },
  architecture: {
    present: true,
    title: 'Architecture',
    group: 'Code',
    load: () => import('../pages/architecture.tsx'),
  },
  quality: { present: true, title: 'Quality', group: 'Code', load: () => import('../pages/quality.tsx') },
  compliance: {
    present: true,
    title: 'Compliance',
    group: 'Compliance',
    load: () => import('../pages/compliance.tsx'),
  },
  requirements: {
    present: true,
    title: 'Requirements',
    group: 'Compliance',
    load: () => import('../pages/requirements.tsx'),
  },
  evidence: { present: true, title: 'Evidence', group: 'Compliance', load: () => import('../pages/evidence.tsx') },
  threats: { present: true, title: 'Threats', group: 'Compliance', load: () => import('../pages/threats.tsx') },
  decisions: { present: true, title: 'Decisions', group: 'Compliance', load: () => import('../pages/decisions.tsx') },
  compare: { title: 'Comparison', group: 'History', hidden: true, load: () => import('../pages/compare.tsx') },
  runs: { title: 'Runs', group: 'History', load: () => import('../pages/runs.tsx') },
  posture: { present: true, title: 'Posture', group: 'History', load: () => import('../pages/posture.tsx') },
  gaps: { title: 'Gaps', group: 'History', load: () => import('../pages/gaps.tsx') },
  rule: {
    present: true,
    title: 'Rule',
    group: 'Setup',
    hidden: true,
    always: true,
    load: () => import('../pages/rule.tsx'),
  },
  rules: { present: true, title: 'Rules', group: 'Setup', always: true, load: () => import('../pages/rules.tsx') },
  agents: { present: true, title: 'Agents', group: 'Agents', always: true, load: () => import('../pages/agents.tsx') },
  approvals: {
    present: true,
    title: 'Approvals',
    group: 'Agents',
    always: true,
    load: () => import('../pages/approvals.tsx'),
  },
  audit: { present: true, title: 'Audit log', group: 'Agents', always: true, load: () => import('../pages/audit.tsx') },
  configuration: {
    present: true,
    title: 'Configuration',
    group: 'Setup',
    always: true,
    load: () => import('../pages/configuration.tsx'),
  },
  providers: {
    present: true,
    title: 'Providers',
    group: 'Setup',
    always: true,
    load: () => import('../pages/providers.tsx'),
  },
  design: {
    present: true,
    title: 'Design',
    group: 'Setup',
    hidden: true,
    always: true,
    load: () => import('../pages/design.tsx'),
  },
  organization: {
    present: true,
    title: 'Organization',
    group: 'Setup',
    always: true,
    load: () => import('../pages/organization.tsx'),
  },
}
