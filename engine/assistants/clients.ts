/** How a coding assistant stores its MCP servers in a file. */
export interface McpFile {
  /** From the root of the repository, or of the home directory where `user` is set. */
  path: string
  format: 'json' | 'toml'
  /** The keys that lead to the map of servers. */
  keys: readonly string[]
  user?: true
}

/** How an assistant stores what runs after an edit. */
export interface HookFile {
  path: string
  /** Members of a new file. */
  base: Readonly<Record<string, unknown>>
  event: string
  entry: (command: string) => Record<string, unknown>
}

/** A coding assistant: which files of a repository are its own, and what they look like. */
export interface Client {
  title: string
  /** A file or directory that shows that a repository is used with it. */
  signs: readonly string[]
  mcp: readonly McpFile[]
  /** An entry for svc; the common form where left out. */
  entry?: Readonly<Record<string, unknown>>
  hook?: HookFile
  /** The skill file; it reads the common one where left out. */
  skill?: string
  /** A file of instructions besides AGENTS.md, extended only where it exists. */
  instructions?: string
  /** Where its format is documented. */
  source: string
}

/** What starts the server: the name from PATH, which is the same on every machine of a team. */
export const SERVER_ENTRY = { command: 'svc', args: ['mcp-server'] } as const
export const SERVER_NAME = 'svc'
/** Read by Codex, Copilot and others. */
export const COMMON_SKILL = '.agents/skills/svc/SKILL.md'
export const COMMON_INSTRUCTIONS = 'AGENTS.md'

const SECONDS = 30
const json = (path: string, ...keys: string[]): McpFile => ({ path, format: 'json', keys })
const home = (file: McpFile): McpFile => ({ ...file, user: true })
const toml = (path: string): McpFile => ({ path, format: 'toml', keys: ['mcp_servers'] })
const grouped = (matcher: string, timeout: number) => (command: string) => ({
  matcher,
  hooks: [{ type: 'command', command, timeout }],
})

/** The assistants by name. The first project file of `mcp` is the one that is written. */
export const CLIENTS = {
  'claude-code': {
    title: 'Claude Code',
    signs: ['.claude', 'CLAUDE.md', '.mcp.json'],
    mcp: [json('.mcp.json', 'mcpServers'), home(json('.claude.json', 'mcpServers'))],
    hook: {
      path: '.claude/settings.json',
      base: {},
      event: 'PostToolUse',
      entry: grouped('Edit|Write|MultiEdit|NotebookEdit', SECONDS),
    },
    skill: '.claude/skills/svc/SKILL.md',
    instructions: 'CLAUDE.md',
    source: 'https://code.claude.com/docs/en/mcp',
  },
  codex: {
    title: 'Codex',
    signs: ['.codex'],
    mcp: [toml('.codex/config.toml'), home(toml('.codex/config.toml'))],
    hook: { path: '.codex/hooks.json', base: {}, event: 'PostToolUse', entry: grouped('.*', SECONDS) },
    source: 'https://developers.openai.com/codex/mcp',
  },
  cursor: {
    title: 'Cursor',
    signs: ['.cursor', '.cursorrules'],
    mcp: [json('.cursor/mcp.json', 'mcpServers'), home(json('.cursor/mcp.json', 'mcpServers'))],
    hook: {
      path: '.cursor/hooks.json',
      base: { version: 1 },
      event: 'afterFileEdit',
      entry: command => ({ command, timeout: SECONDS }),
    },
    source: 'https://cursor.com/docs/context/mcp',
  },
  copilot: {
    title: 'GitHub Copilot',
    signs: ['.vscode', '.github/copilot-instructions.md', '.github/instructions'],
    mcp: [json('.vscode/mcp.json', 'servers'), home(json('.copilot/mcp-config.json', 'mcpServers'))],
    entry: { type: 'stdio', ...SERVER_ENTRY },
    hook: {
      path: '.github/hooks/svc-edited.json',
      base: { version: 1 },
      event: 'postToolUse',
      entry: command => ({ type: 'command', bash: command, timeoutSec: SECONDS }),
    },
    source: 'https://code.visualstudio.com/docs/copilot/customization/mcp-servers',
  },
  'gemini-cli': {
    title: 'Gemini CLI',
    signs: ['.gemini', 'GEMINI.md'],
    mcp: [json('.gemini/settings.json', 'mcpServers'), home(json('.gemini/settings.json', 'mcpServers'))],
    hook: {
      path: '.gemini/settings.json',
      base: {},
      event: 'AfterTool',
      entry: grouped('write_file|replace', SECONDS * 1000),
    },
    instructions: 'GEMINI.md',
    source: 'https://geminicli.com/docs/tools/mcp-server',
  },
  windsurf: {
    title: 'Windsurf',
    signs: ['.windsurf', '.windsurfrules'],
    mcp: [
      json('.windsurf/mcp_config.json', 'mcpServers'),
      home(json('.codeium/windsurf/mcp_config.json', 'mcpServers')),
    ],
    hook: {
      path: '.windsurf/hooks.json',
      base: {},
      event: 'post_write_code',
      entry: command => ({ command, show_output: true }),
    },
    source: 'https://docs.windsurf.com/windsurf/cascade/mcp',
  },
  zed: {
    title: 'Zed',
    signs: ['.zed'],
    mcp: [json('.zed/settings.json', 'context_servers'), home(json('.config/zed/settings.json', 'context_servers'))],
    source: 'https://zed.dev/docs/ai/mcp',
  },
  roo: {
    title: 'Roo Code',
    signs: ['.roo', '.roorules'],
    mcp: [json('.roo/mcp.json', 'mcpServers')],
    source: 'https://docs.roocode.com/features/mcp/using-mcp-in-roo',
  },
  'amazon-q': {
    title: 'Amazon Q Developer',
    signs: ['.amazonq'],
    mcp: [json('.amazonq/mcp.json', 'mcpServers'), home(json('.aws/amazonq/mcp.json', 'mcpServers'))],
    source: 'https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/command-line-mcp-config-CLI.html',
  },
} as const satisfies Record<string, Client>

export type ClientName = keyof typeof CLIENTS
export const CLIENT_NAMES = Object.keys(CLIENTS) as ClientName[]

/** An assistant by its name, in the common shape. */
export function getClient(name: ClientName): Client {
  return CLIENTS[name]
}
