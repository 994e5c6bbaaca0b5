import { has, listOptionValues, readArguments } from './arguments.ts'
import type { Word } from './shell.ts'

/** What the arguments of a tool that does what the project says tell of it beside. */
export interface Told {
  /** Files and folders that it writes. */
  writes: Word[]
  /** Files that tell it what to do, given by name. */
  follows: Word[]
  /** What it would run cannot be told; a sentence. */
  doubt?: string
}

type Row = (args: readonly Word[]) => Partial<Told>

const COMPILED: Row = args => ({ writes: listOptionValues(readArguments(args, 'oIDULlxT', ['output']), 'o', 'output') })

/** A package's scripts, of another folder than the one that is worked in. */
const PACKAGE: Row = args => {
  const folders = listOptionValues(readArguments(args, 'C', ['prefix', 'dir', 'cwd']), 'C', 'prefix', 'dir', 'cwd')
  return { follows: folders.map(folder => (folder === undefined ? undefined : `${folder}/package.json`)) }
}

const MADE: Row = args => {
  const told = readArguments(args, 'CfIjloW', ['file', 'makefile', 'directory', 'include-dir', 'eval'])
  const sets = args.some(arg => arg === undefined || /^(SHELL|\.SHELLFLAGS|MAKEFLAGS|MAKE)\s*[:?+]?=/.test(arg))
  return {
    follows: listOptionValues(told, 'f', 'file', 'makefile'),
    ...((sets || has(told, 'eval', 'E')) && { doubt: 'make gets its commands on the command line' }),
  }
}

const ROWS: Readonly<Record<string, Row>> = {
  ...Object.fromEntries(['gcc', 'g++', 'cc', 'c++', 'clang', 'clang++', 'ld', 'esbuild'].map(name => [name, COMPILED])),
  ...Object.fromEntries(['npm', 'pnpm', 'yarn', 'bun'].map(name => [name, PACKAGE])),
  make: MADE,
  gmake: MADE,
  rustc: args => ({ writes: listOptionValues(readArguments(args, 'oLlCAWDFg', ['out-dir']), 'o', 'out-dir') }),
  javac: args => ({ writes: after(args, /^-(d|h|s)$/) }),
  tsc: args => ({ writes: after(args, /^--?(outDir|outFile|declarationDir|tsBuildInfoFile)$/i) }),
  go: args => ({
    writes: after(args, /^--?(o|coverprofile|cpuprofile|memprofile)$/),
    follows: args[0] === 'run' ? args.filter(arg => arg === undefined || /\.go$/.test(arg)) : [],
  }),
}

/** Values of options that are not read as getopt does: the word after one, or what is joined on by `=`. */
function after(args: readonly Word[], option: RegExp): Word[] {
  return args.flatMap((arg, at) => {
    const [, name, value] = /^([^=]*)=([\s\S]*)$/.exec(arg ?? '') ?? []
    if (name !== undefined && option.test(name)) return [value]
    return arg !== undefined && option.test(arg) ? [args[at + 1]] : []
  })
}

/** What such a tool writes and follows, as far as its arguments say. */
export function readRunnerArguments(name: string, args: readonly Word[]): Told {
  const row = Object.hasOwn(ROWS, name) ? ROWS[name]!(args) : {}
  return { writes: [], follows: [], ...row }
}
