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
  compare: { title: 'Comparison', group: 'History', hidden: true, load: () => import('../pages/compare.tsx') },
  runs: { title: 'Runs', group: 'History', load: () => import('../pages/runs.tsx') },
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
