import { resolve } from 'node:path'
import type { Context } from '../engine/base/context.ts'
import { EngineError, toEngineError } from '../engine/base/errors.ts'
import { invoke } from '../engine/door/invoke.ts'
import type { Schemas } from '../engine/door/schemas.ts'
import { canAsk, chooseWithArrows } from './choose.ts'
import { type Command, listCommands, match } from './commands.ts'
import { COMPLETION_SCHEMAS, makeCompletionRow } from './completion/row.ts'
import type { Host, Input } from './host.ts'
import { makeLogFilter } from './log-commands.ts'
import { chooseLogFormat, formatLogLine, type LogFormat, type LogRecord } from './log-line.ts'
import { COMMON, listOptions } from './options.ts'
import { makePaint, usesColor } from './paint.ts'
import { parse, toUsageError } from './parse.ts'
import { escapeControls } from './printable.ts'
import { startProgress } from './progress.ts'
import { formatSignIn } from './sign-in.ts'
import { makeWriter, type Write } from './writer.ts'

/** Columns where there is no terminal to ask. */
const WIDTH = 80

/** What was asked of the program, once the words are understood. */
type Request =
  | { does: 'help'; words: readonly string[] }
  | { does: 'version' }
  | { does: 'invoke'; command: Command; input: Record<string, unknown> }

/** One command in the making: the host, the program's commands, and what the common options decided so far. */
interface Session {
  host: Host
  commands: Command[]
  schemas: (id: string) => Schemas
  flags: ReadonlySet<string>
  /** Values of the common options, by flag. */
  values: ReadonlyMap<string, string>
  /** How standard error is written. */
  log: LogFormat
  /** The command's name, once it is known. */
  command: string
  out: Write
  err: Write
}

/**
 * Runs one command line and answers its exit code. The answer goes to stdout and nothing else does, but for the error
 * object of `--json`; progress, notices and errors go to stderr. It never throws and never ends the process.
 */
export async function run(argv: readonly string[], host: Host): Promise<number> {
  const filter = makeLogFilter(host.env)
  const session: Session = {
    ...programOf(host),
    host,
    flags: new Set(),
    values: new Map(),
    log: 'text',
    command: '',
    // A document for programs is not changed.
    out: makeWriter(host.stdout, text => (session.flags.has('json') ? text : filter(text))),
    err: makeWriter(host.stderr, filter),
  }
  try {
    const request = understand(argv, session)
    if (request.does === 'invoke') return await answer(request.command, request.input, session)
    await session.out(request.does === 'help' ? await help(request.words, session) : `${await version()}\n`)
    return 0
  } catch (thrown) {
    const error = toEngineError(thrown)
    const interrupted = host.signal.aborted && error.code === 'INTERNAL'
    return fail(
      interrupted ? new EngineError('INTERRUPTED', 'The work was interrupted.', { cause: thrown }) : error,
      session,
    )
  }
}

/** The operations' commands and the command line's own one. */
function programOf(host: Host): Pick<Session, 'commands' | 'schemas'> {
  const own = makeCompletionRow(() => ({ commands, schemas }))
  const schemas = (id: string) => (id === own.id ? COMPLETION_SCHEMAS : host.schemas(id))
  const commands: Command[] = listCommands([...host.operations, own])
  return { commands, schemas }
}

/** What the words ask for; sets the session's flags as soon as they are known, so that a fault is shown as asked. */
function understand(argv: readonly string[], session: Session): Request {
  const first = argv.findIndex(word => !/^-./.test(word))
  const leading = first === -1 ? argv : argv.slice(0, first)
  const words = first === -1 ? [] : argv.slice(first)
  session.flags = new Set(COMMON.filter(c => leading.some(word => isForm(word, c))).map(({ flag }) => flag))
  for (const word of leading) {
    if (word === '--version' || word === '-V') return { does: 'version' }
    if (!COMMON.some(c => isForm(word, c))) {
      throw new EngineError('USAGE', `There is no option ${word} before a command.`, {
        hint: 'Write options after the command: svc <command> [options].',
      })
    }
  }
  if (words.length === 0 && session.flags.has('verbose') && !session.flags.has('help')) {
    throw new EngineError('USAGE', '-v (--verbose) needs a command.', {
      hint: 'Run `svc --version` to print the version.',
    })
  }
  if (words[0] === 'help') return { does: 'help', words: words.slice(1) }
  if (words.length === 0) return { does: 'help', words: [] }

  if (words.includes('--json') || words.includes('-j')) session.flags = new Set([...session.flags, 'json'])
  const matched = match(session.commands, words)
  const rest = [...leading, ...matched.rest]
  if ('prefix' in matched) {
    if (rest.includes('--help') || rest.includes('-h')) return { does: 'help', words: matched.prefix.split(' ') }
    const below = session.commands.map(c => c.name).filter(name => name.startsWith(`${matched.prefix} `))
    throw new EngineError('USAGE', `svc ${matched.prefix} needs one more word: ${below.join(', ')}.`)
  }
  const { command } = matched
  refuseThreadCount(command, rest)
  const { input, flags, values, fault } = parse(command, listOptions(command, session.schemas), session.schemas, rest)
  session.flags = flags
  session.values = values
  session.command = command.name
  if (flags.has('help')) return { does: 'help', words: command.name.split(' ') }
  session.log = chooseLogFormat(values.get('log-format'), session.host.env)
  if (fault) throw fault
  return { does: 'invoke', command, input }
}

/** `-j` is `--json` in every command; elsewhere (make, ripgrep) it takes a number of threads. */
function refuseThreadCount(command: Command, words: readonly string[]): void {
  const threads = words.flatMap((word, at) => /^-j=?(\d+)$/.exec(word)?.[1] ?? (word === '-j' && words[at + 1]) ?? [])
  const count = threads.find(value => typeof value === 'string' && /^\d+$/.test(value))
  if (count === undefined) return
  throw new EngineError('USAGE', `-j is --json and takes no number.`, {
    hint: `Use --jobs ${count} for ${count} threads, in the commands that have it: svc ${command.name} --help.`,
  })
}

/** Whether a word is a common option, in its long or its short form. */
function isForm(word: string, { flag, short }: (typeof COMMON)[number]): boolean {
  return word === `--${flag}` || (short !== undefined && word === `-${short}`)
}

/** Invokes the command's operation and prints its answer. */
async function answer(command: Command, input: Record<string, unknown>, session: Session): Promise<number> {
  const { host, flags } = session
  const { row } = command
  const quiet = flags.has('quiet')
  const verbose = flags.has('verbose')
  const progress = startProgress(host.stderr, {
    command: command.name,
    silent: quiet || row.resident || session.log === 'json',
    verbose,
    env: host.env,
  })
  const paintNotice = makePaint(usesColor(host.stderr, host.env, flags.has('no-color')))
  const filter = makeLogFilter(host.env)
  const log = (record: LogRecord) => void session.err(formatLogLine(record, command.name)).catch(() => {})
  const context: Context = {
    surface: 'cli',
    cwd: host.cwd,
    env: environment(session),
    signal: host.signal,
    caller: host.caller,
    emit: event => {
      // Also with -q: without the code nobody can go on.
      if (event.type === 'sign_in') progress.above(formatSignIn(event.sign_in, flags.has('json')))
      else progress.show(event)
    },
    notice: text => {
      if (quiet) return
      if (session.log === 'json') log({ level: 'info', message: text })
      else progress.above(`${paintNotice('dim', filter(escapeControls(text)))}\n`)
    },
    print: line => {
      progress.above('')
      void session.out(`${escapeControls(line)}\n`).catch(() => {})
    },
    status: text => {
      if (session.log === 'json') log({ level: 'info', message: text })
      else if (!quiet) progress.status(filter(escapeControls(text)))
    },
    ...(session.log === 'json' && { log }),
    readStdin: () => {
      progress.pause()
      if (host.stdin.isTTY) context.notice('Reading standard input; Ctrl-D ends it.')
      return readAll(host.stdin)
    },
    // A getter: looking at standard input opens it, which few commands need.
    get choose(): Context['choose'] {
      if (flags.has('json') || !canAsk(host)) return undefined
      return (question, choices, initial) => {
        progress.pause()
        return chooseWithArrows(host, question, choices, initial)
      }
    },
    ...(host.leftBehind && { leftBehind: host.leftBehind }),
    ...(host.stayBehind && { stayBehind: host.stayBehind }),
    ...(host.serve && { serve: (server, input) => host.serve!(server, input, context) }),
  }
  const { output, operation } = await invoke(row, input, context, session.schemas)
    .catch(error => {
      throw toUsageError(error, command, session.schemas, input)
    })
    .finally(progress.stop)
  if (!row.resident) {
    const paint = makePaint(usesColor(host.stdout, host.env, flags.has('no-color')))
    const text = flags.has('json')
      ? JSON.stringify(output, null, 2)
      : operation.text(output, { verbose, quiet, paint, width: host.stdout.columns || WIDTH })
    await session.out(text === '' || text.endsWith('\n') ? text : `${text}\n`)
  }
  const code = operation.exit?.(output) ?? 0
  const problem = operation.problem?.(output)
  if (problem === undefined) return code
  await report(problem, session)
  return code === 0 ? problem.row.exit : code
}

/** The environment with what a common option says in place of its variable. */
function environment({ host, values }: Session): Context['env'] {
  const named = values.get('output-dir')
  return named === undefined ? host.env : { ...host.env, SVC_OUTPUT_DIR: resolve(host.cwd, named) }
}

/** Tells the error on stderr, and with `--json` as the document on stdout too; answers the table's exit code. */
async function fail(error: EngineError, session: Session): Promise<number> {
  const { flags, out } = session
  await report(error, session)
  if (flags.has('json')) {
    const { formatFailureJson } = await import('./failure.ts')
    await out(formatFailureJson(error)).catch(() => {})
  }
  return error.row.exit
}

/** Tells an error on stderr. */
async function report(error: EngineError, { host, flags, log, command, err }: Session): Promise<void> {
  const { formatFailure } = await import('./failure.ts')
  const paint = makePaint(usesColor(host.stderr, host.env, flags.has('no-color')))
  const { code, message, hint } = error
  const told =
    log === 'json'
      ? formatLogLine({ level: 'error', message, fields: { code, hint } }, command)
      : formatFailure(error, paint, flags.has('verbose'))
  await err(told).catch(() => {})
}

async function help(words: readonly string[], { host, commands, schemas, flags }: Session): Promise<string> {
  const { formatHelp } = await import('./help.ts')
  const paint = makePaint(usesColor(host.stdout, host.env, flags.has('no-color')))
  return formatHelp(words, commands, schemas, { paint, width: host.stdout.columns || WIDTH })
}

async function version(): Promise<string> {
  return (await import('../engine/base/version.ts')).VERSION
}

async function readAll(stdin: Input): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stdin) text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
  return text + decoder.decode()
}
