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

/** A matched command line: the command and what follows its name, or the first words of sub-commands that were given alone. */
export type Match = { command: Command; rest: string[] } | { prefix: string; rest: string[] }

/**
 * The command whose name is the longest that `words` begin with: `history prune` wins over `history`. Words that only begin longer names
 * are a prefix, `attest key` as well as `notary`. USAGE names the command that was probably meant.
 */
export function match(commands: readonly Command[], words: readonly string[]): Match {
  for (const count of [3, 2, 1]) {
    if (words.length < count) continue
    const name = words.slice(0, count).join(' ')
    const command = commands.find(c => c.name === name)
    if (command) return { command, rest: words.slice(count) }
    const names = commands.map(c => c.name).filter(one => one.startsWith(`${name} `))
    if (names.length === 0) continue
    const next = words[count]
    if (next === undefined || next.startsWith('-')) return { prefix: name, rest: words.slice(count) }
    const typed = `${name} ${next}`
    throw unknown(`There is no command ${typed}`, findNearest(typed, names), `One of: ${names.join(', ')}.`)
  }
  const [first = '', second] = words
  throw unknown(`There is no command ${first}`, nearestCommand(commands, first, second))
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
