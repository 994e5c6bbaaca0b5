import { EngineError } from '../engine/base/errors.ts'
import { findNearest } from '../engine/base/text/nearest.ts'
import type { ManifestRow } from '../engine/door/operation.ts'

/** A positional parameter as the operation's `cli` line names it. */
export interface Positional {
  /** Input key. */
  key: string
  required: boolean
}

/** A command of the program: a manifest row that is offered on the command line. */
export interface Command {
  /** One word to three: `scan`, `history prune`, `attest key create`. */
  name: string
  positionals: Positional[]
  row: ManifestRow
}

/** The commands that rows offer, in the rows' order. */
export function listCommands(rows: readonly ManifestRow[]): Command[] {
  const commands: Command[] = []
  for (const row of rows) {
    if (row.cli === null) continue
    const positionals = [...row.cli.matchAll(/([<[])(?:\.\.\.)?(\w+)(?:\.\.\.)?[>\]]/g)].map(([, bracket, key]) => ({
      key: key!,
      required: bracket === '<',
    }))
    commands.push({ name: row.cli.split(/ [<[]/, 1)[0]!, positionals, row })
  }
  return commands
}

/** A matched command line: the command and what follows its name, or the first word of sub-commands that was given alone. */
export type Match = { command: Command; rest: string[] } | { prefix: string; rest: string[] }

/**
 * The command whose name is the longest that `words` begin with: `history prune` wins over `history`. A first word that
 * only begins longer names is a prefix. USAGE names the command that was probably meant.
 */
export function match(commands: readonly Command[], words: readonly string[]): Match {
  for (const count of [3, 2, 1]) {
    const name = words.slice(0, count).join(' ')
    const command = words.length >= count ? commands.find(c => c.name === name) : undefined
    if (command) return { command, rest: words.slice(count) }
  }
  const [first = '', second] = words
  const below = commands.filter(c => c.name.startsWith(`${first} `))
  if (below.length === 0) throw unknown(`There is no command ${first}`, nearestCommand(commands, first, second))
  if (second === undefined || second.startsWith('-')) return { prefix: first, rest: words.slice(1) }
  const names = below.map(c => c.name)
  throw unknown(
    `There is no command ${first} ${second}`,
    findNearest(`${first} ${second}`, names),
    `One of: ${names.join(', ')}.`,
  )
}

/** Mistyped in the first word, or in two words of which the program knows the pair. */
function nearestCommand(commands: readonly Command[], first: string, second: string | undefined): string | undefined {
  const names = commands.map(c => c.name)
  return findNearest(first, names) ?? (second === undefined ? undefined : findNearest(`${first} ${second}`, names))
}

function unknown(what: string, meant: string | undefined, otherwise?: string): EngineError {
  return new EngineError('USAGE', meant ? `${what}; did you mean ${meant}?` : `${what}.`, {
    hint: meant
      ? `Run \`svc ${meant} --help\` to see what it does.`
      : (otherwise ?? 'Run `svc --help` for the list of commands.'),
  })
}
