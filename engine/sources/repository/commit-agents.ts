/** A coding agent, by what it leaves in commits. */
interface AgentMark {
  agent: string
  /** Parts of an e-mail address, or of a name, in lower case. */
  emails: readonly string[]
  names: readonly string[]
}

/** Agents by the addresses and names that they sign with, as their makers document them. */
const AGENTS: readonly AgentMark[] = [
  { agent: 'claude-code', emails: ['noreply@anthropic.com'], names: ['claude'] },
  {
    agent: 'copilot',
    emails: ['+copilot@users.noreply.github.com'],
    names: ['copilot', 'github copilot', 'copilot-swe-agent[bot]'],
  },
  { agent: 'cursor', emails: ['cursoragent@cursor.com'], names: ['cursor', 'cursor agent'] },
  { agent: 'codex', emails: ['codex@openai.com', 'noreply@openai.com'], names: ['codex', 'openai codex'] },
  {
    agent: 'gemini-cli',
    emails: ['gemini-cli-robot@google.com', '+gemini-code-assist[bot]@users.noreply.github.com'],
    names: ['gemini', 'gemini cli', 'gemini-cli', 'gemini-code-assist[bot]'],
  },
  {
    agent: 'jules',
    emails: ['google-labs-jules[bot]@users.noreply.github.com'],
    names: ['google-labs-jules[bot]', 'jules'],
  },
  { agent: 'aider', emails: ['aider@aider.chat', 'noreply@aider.chat'], names: ['aider'] },
  {
    agent: 'devin',
    emails: [
      'devin-ai-integration[bot]@users.noreply.github.com',
      '+devin-ai-integration[bot]@users.noreply.github.com',
    ],
    names: ['devin-ai-integration[bot]', 'devin ai'],
  },
  { agent: 'windsurf', emails: [], names: ['windsurf', 'cascade'] },
  { agent: 'amp', emails: ['amp@ampcode.com'], names: ['amp'] },
]

/** Trailers of a commit in which agents are named, as git's `key` option of `%(trailers)`. */
export const AGENT_TRAILERS = 'key=Co-authored-by,key=Assisted-by,key=Generated-by'

/** The agent that a trailer's value names, `Name <address>` or a name; undefined for a person. */
export function findTrailerAgent(value: string, own: ReadonlyMap<string, string> = NONE): string | undefined {
  const [, name = value, email = ''] = /^\s*(.*?)\s*<([^<>]*)>\s*$/.exec(value.slice(0, 500)) ?? []
  return findCommitAgent(name, email, own)
}

const NONE: ReadonlyMap<string, string> = new Map()

/** The agent that a name and an address are of; undefined for a person. `own` maps addresses of the configuration to agents. */
export function findCommitAgent(name: string, email: string, own: ReadonlyMap<string, string>): string | undefined {
  const [plain, address] = [name.trim().toLowerCase(), email.trim().toLowerCase()]
  const configured = own.get(address)
  if (configured !== undefined) return configured
  const found = AGENTS.find(
    ({ emails, names }) =>
      emails.some(part => address === part || (part.startsWith('+') && address.endsWith(part))) ||
      names.includes(plain),
  )
  if (found) return found.agent
  // Aider adds itself in brackets to the author's name.
  return /\(aider\)$/.test(plain) ? 'aider' : undefined
}
