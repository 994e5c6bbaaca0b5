/** Packages that are imitated: servers of the protocol's own project and others in wide use. */
export const KNOWN_SERVERS: readonly string[] = [
  '@modelcontextprotocol/server-filesystem',
  '@modelcontextprotocol/server-memory',
  '@modelcontextprotocol/server-sequential-thinking',
  '@modelcontextprotocol/server-everything',
  '@modelcontextprotocol/server-github',
  '@modelcontextprotocol/server-postgres',
  '@modelcontextprotocol/server-puppeteer',
  '@modelcontextprotocol/server-slack',
  '@modelcontextprotocol/inspector',
  '@playwright/mcp',
  '@upstash/context7-mcp',
  '@supabase/mcp-server-supabase',
  '@sentry/mcp-server',
  '@notionhq/notion-mcp-server',
  '@azure/mcp',
  'chrome-devtools-mcp',
  'figma-developer-mcp',
  'firecrawl-mcp',
  'mcp-remote',
  'mcp-server-fetch',
  'mcp-server-git',
  'mcp-server-kubernetes',
  'mcp-server-sqlite',
  'mcp-server-time',
  'awslabs.core-mcp-server',
]

/** A published vulnerability of a server: versions below `fixed`, from `from` on where that is given. */
export interface KnownVulnerability {
  name: string
  ecosystem: 'npm' | 'PyPI'
  from?: string
  /** Left out where no version is fixed. */
  fixed?: string
  id: string
}

/**
 * Vulnerabilities of servers and bridges; `svc vulns` covers what a lock file names. The versions are those of the advisories
 * GHSA-6xpm-ggf7-wc3p, GHSA-7f8r-222p-6f5g, GHSA-hc55-p739-j48w, GHSA-gxw4-4fc5-9gr5 and GHSA-gjv4-ghm7-q58q, in this order.
 */
export const KNOWN_VULNERABILITIES: readonly KnownVulnerability[] = [
  { name: 'mcp-remote', ecosystem: 'npm', from: '0.0.5', fixed: '0.1.16', id: 'CVE-2025-6514' },
  { name: '@modelcontextprotocol/inspector', ecosystem: 'npm', fixed: '0.14.1', id: 'CVE-2025-49596' },
  { name: '@modelcontextprotocol/server-filesystem', ecosystem: 'npm', fixed: '2025.7.1', id: 'CVE-2025-53110' },
  { name: 'figma-developer-mcp', ecosystem: 'npm', fixed: '0.6.3', id: 'CVE-2025-53967' },
  { name: 'mcp-server-kubernetes', ecosystem: 'npm', fixed: '2.5.0', id: 'CVE-2025-53355' },
]

/** Instructions for assistants, from the repository's root; a directory ends with a slash. */
export const INSTRUCTION_FILES: readonly string[] = [
  'AGENTS.md',
  'CLAUDE.md',
  'GEMINI.md',
  '.cursorrules',
  '.windsurfrules',
  '.clinerules',
  '.roorules',
  '.github/copilot-instructions.md',
  '.cursor/rules/',
  '.windsurf/rules/',
  '.roo/rules/',
  '.amazonq/rules/',
  '.claude/rules/',
  '.claude/agents/',
  '.claude/skills/',
  '.agents/skills/',
  '.github/skills/',
  '.github/instructions/',
]

/** Settings with hooks and approvals. */
export const SETTINGS_FILES: readonly string[] = [
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.codex/hooks.json',
  '.cursor/hooks.json',
  '.gemini/settings.json',
  '.windsurf/hooks.json',
  '.vscode/settings.json',
  '.zed/settings.json',
  '.codex/config.toml',
  '.github/hooks/',
]
