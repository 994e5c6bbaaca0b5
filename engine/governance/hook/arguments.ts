import type { Word } from './shell.ts'

/** The arguments of a program, told apart as getopt_long(3) does. */
export interface Arguments {
  /** What is no option; after `--` all is. A word that is known only when it runs is undefined, and may be an option. */
  names: Word[]
  /** Each option with its values, a short one by its letter and a long one by its name; `''` where it has none. */
  options: Map<string, Word[]>
}

/**
 * Reads arguments. `short` are the letters of options whose value follows or is joined on, `long` the names of those
 * whose value follows or comes after `=`; a long one may be cut short. Letters may share a dash: `-sSLo file`.
 */
export function readArguments(args: readonly Word[], short = '', long: readonly string[] = []): Arguments {
  const names: Word[] = []
  const options = new Map<string, Word[]>()
  const add = (name: string, value: Word) => options.set(name, [...(options.get(name) ?? []), value])
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]
    if (arg === '--') return { names: [...names, ...args.slice(at + 1)], options }
    if (arg === undefined || arg === '-' || !arg.startsWith('-')) {
      names.push(arg)
      continue
    }
    if (arg.startsWith('--')) {
      const [, given = '', value] = /^--([^=]*)(?:=([\s\S]*))?$/.exec(arg) ?? []
      const name = long.includes(given) ? given : (long.find(one => one.startsWith(given)) ?? given)
      add(name, value ?? (long.includes(name) ? args[++at] : ''))
      continue
    }
    for (let letter = 1; letter < arg.length; letter++) {
      if (!short.includes(arg[letter]!)) {
        add(arg[letter]!, '')
        continue
      }
      add(arg[letter]!, letter + 1 < arg.length ? arg.slice(letter + 1) : args[++at])
      break
    }
  }
  return { names, options }
}

/** Whether any of these options is given, a long one perhaps cut short. */
export function has({ options }: Arguments, ...wanted: readonly string[]): boolean {
  const given = [...options.keys()]
  return wanted.some(name => given.some(one => one === name || (one.length > 1 && name.startsWith(one))))
}

/** All values of these options. */
export function listOptionValues({ options }: Arguments, ...wanted: readonly string[]): Word[] {
  return wanted.flatMap(name => options.get(name) ?? [])
}
