import type { Command } from './commands.ts'

/** Titles of the operations' folders in the help, in the order in which a newcomer meets them. */
const TITLES: Readonly<Record<string, string>> = {
  scan: 'Scan',
  gate: 'Gate',
  findings: 'Findings',
  fixes: 'Fixes',
  hook: 'Commit hook',
  assistants: 'Coding assistants',
  config: 'Configuration',
  repository: 'Repository',
  quality: 'Quality and architecture',
  external: 'External scanners',
  rules: 'Rules',
  packs: 'Packs',
  specs: 'API specifications',
  sdk: 'Checks for agents and editors',
  secrets: 'Secrets',
  assure: 'Reports and evidence',
  auditor: 'Access for auditors',
  store: 'History',
  governance: 'Agent governance',
  audit: 'Audit log',
  serve: 'Servers',
  account: 'Account',
  license: 'License',
  doctor: 'Installation',
  shell: 'Shell',
}

/** The commands in groups by their operation's folder; folders without a title of their own come last, named as they are. */
export function groupCommands(commands: readonly Command[]): { title: string; commands: Command[] }[] {
  const folders = [...new Set(commands.map(folderOf))]
  const order = Object.keys(TITLES)
  const rank = (folder: string) => (order.includes(folder) ? order.indexOf(folder) : order.length)
  return folders
    .sort((a, b) => rank(a) - rank(b))
    .map(folder => ({ title: titleOf(folder), commands: commands.filter(c => folderOf(c) === folder) }))
}

function folderOf(command: Command): string {
  return command.row.id.split('.', 1)[0]!
}

function titleOf(folder: string): string {
  return TITLES[folder] ?? `${folder.charAt(0).toUpperCase()}${folder.slice(1)}`
}
