import type { Command as CacCommand } from 'cac'
import type { Paint } from '../engine/base/text/view.ts'
import type { Schemas } from '../engine/door/schemas.ts'
import { type Command, match } from './commands.ts'
import { groupCommands } from './groups.ts'
import { formatTable, wrap } from './layout.ts'
import { listOptions } from './options.ts'
import { buildProgram, formatSignature } from './program.ts'

interface View {
  paint: Paint
  width: number
}

/** Environment variables that change what the program does. */
const ENVIRONMENT: [string, string][] = [
  ['GUARD_API_KEY', 'API key that `svc dashboard` requires'],
  ['SVC_TRUST_EXTERNAL', 'digests of trusted commands of external scanners'],
  ['SVC_EXTERNAL_ENV', 'names of environment variables to pass to external scanners'],
  ['GUARD_RATE_LIMIT_ENABLED', 'false disables the rate limit of the REST API'],
  ['GUARD_RATE_LIMIT_RPM', 'requests per minute and address (default: 60)'],
  ['SOURCE_DATE_EPOCH', 'time to write into reports, in seconds since 1970'],
  ['NO_COLOR, FORCE_COLOR', 'no colors; colors without a terminal too'],
]

const EXIT_CODES: [string, string][] = [
  ['0', 'success; gate passed'],
  ['1', 'gate failed, or a check reported findings'],
  ['2', 'a required acknowledgement or key is missing'],
  ['64', 'usage error, or invalid input or configuration'],
  ['66', 'file, run or rule not found, or nothing to scan'],
  ['69', 'a required tool or service is missing'],
  ['70', 'internal error'],
  ['74', 'a result cannot be written: full or read-only disk'],
  ['130', 'interrupted'],
]

/** Commands whose first example stands in the program's help. */
const SHOWN = ['init', 'scan', 'gate', 'report', 'dashboard']

/** The help of the program (no words), of a command, or of the sub-commands that a word begins. USAGE where there is no such command. */
export function formatHelp(
  words: readonly string[],
  commands: readonly Command[],
  schemas: (id: string) => Schemas,
  view: View,
): string {
  const matched = words.length === 0 ? undefined : match(commands, words)
  const sections =
    matched === undefined
      ? programHelp(commands, schemas, view)
      : 'prefix' in matched
        ? prefixHelp(matched.prefix, commands, view)
        : commandHelp(matched.command, schemas, view)
  return `${sections.filter(Boolean).join('\n\n')}\n`
}

function programHelp(commands: readonly Command[], schemas: (id: string) => Schemas, { paint, width }: View): string[] {
  const program = buildProgram(commands, schemas)
  const entry = new Map(program.commands.map(c => [c.rawName, c]))
  const widest = Math.max(...program.commands.map(c => c.rawName.length))
  const titled = heading(paint)
  const examples = SHOWN.flatMap(name => commands.find(c => c.name === name)?.row.examples.slice(0, 1) ?? [])
  return [
    wrap(
      'svc scans a repository against compliance packs, evaluates a quality gate, and governs coding agents.',
      width,
    ),
    `${titled('Usage')} svc <command> [options]`,
    ...groupCommands(commands).map(group =>
      titled(
        group.title,
        formatTable(
          group.commands.map(c => line(entry.get(c.row.cli!)!, widest)),
          width,
          widest,
        ),
      ),
    ),
    titled(
      'Global options',
      formatTable(
        [
          ...program.globalCommand.options.map(o => [indented(o.rawName), o.description] as const),
          ['    --version', 'print the version'],
        ],
        width,
      ),
    ),
    examples.length > 0 ? titled('Examples', formatTable(examples, width, 44)) : '',
    titled('Environment', formatTable(ENVIRONMENT, width)),
    titled('Exit codes', formatTable(EXIT_CODES, width)),
    paint(
      'dim',
      wrap(
        '`svc <command> --help` describes a command; `svc completion bash|zsh|fish` prints a completion script.',
        width,
      ),
    ),
  ]
}

function line(command: CacCommand, widest: number): readonly [string, string] {
  return [command.rawName.padEnd(widest), command.description]
}

function prefixHelp(prefix: string, commands: readonly Command[], { paint, width }: View): string[] {
  const below = commands.filter(c => c.name.startsWith(`${prefix} `))
  const titled = heading(paint)
  return [
    `${titled('Usage')} svc ${prefix} <command> [options]`,
    titled(
      'Commands',
      formatTable(
        below.map(c => [c.row.cli!, c.row.summary]),
        width,
      ),
    ),
    paint('dim', `\`svc ${prefix} <command> --help\` describes a command.`),
  ]
}

function commandHelp(command: Command, schemas: (id: string) => Schemas, { paint, width }: View): string[] {
  const entry = buildProgram([command], schemas).commands[0]!
  const titled = heading(paint)
  const { properties = {} } = schemas(command.row.id).input
  const own = listOptions(command, schemas)
    .filter(o => o.key)
    .map(o => formatSignature(o))
  const rows = entry.options.map(o => ({
    name: indented(o.rawName),
    text: o.description,
    own: own.includes(o.rawName),
  }))
  const options = (mine: boolean) =>
    formatTable(
      rows.filter(r => r.own === mine).map(r => [r.name, r.text]),
      width,
    )
  const positionals = command.positionals.map(({ key }): [string, string] => {
    const { description = '', default: value } = properties[key] ?? {}
    const shown = value === undefined ? '' : String(value)
    return [key, shown === '' ? description : `${description} (default: ${shown})`]
  })
  return [
    wrap(command.row.summary, width),
    `${titled('Usage')} svc ${entry.rawName} [options]`,
    positionals.length > 0 ? titled('Parameters', formatTable(positionals, width)) : '',
    own.length > 0 ? titled('Options', options(true)) : '',
    titled('Global options', options(false)),
    entry.examples.length > 0 ? titled('Examples', formatTable(command.row.examples, width, 44)) : '',
  ]
}

/** Long forms stand below each other, with or without a letter before them. */
function indented(signature: string): string {
  return signature.startsWith('--') ? `    ${signature}` : signature
}

function heading(paint: Paint): (title: string, body?: string) => string {
  return (title, body) => `${paint('bold', `${title}:`)}${body === undefined ? '' : `\n${body}`}`
}
