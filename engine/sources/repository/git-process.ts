import { type ChildProcess, type SpawnSyncReturns, type StdioOptions, spawn, spawnSync } from 'node:child_process'
import { EngineError } from '../../base/errors.ts'
import { hardenArguments, hardenEnvironment, mayFilter } from './git-hardening.ts'
import { disableFilters, LIST_FILTERS, mayNameFilter } from './own-filters.ts'
import { findProgram, makeTrustedPath } from './program-path.ts'
import { findRepository, makeRepositoryPlace, pinWorkTree, refuseSpecialFiles } from './repository-place.ts'

/** A git call, made safe against the repository it reads. */
interface Call {
  program: string
  args: string[]
  env: NodeJS.ProcessEnv
  /** The repository may name filters, and the call may start one: they have to be listed first. */
  filters: boolean
}

type Environment = Record<string, string>

/** Characters of one argument; Linux takes 131,072 bytes. */
const MAX_ARGUMENT = 32_000

function prepare(directory: string, args: readonly string[], more: Environment = {}): Call {
  // No process takes these: what a caller named cannot exist.
  if (args.some(one => one.includes('\0') || one.length > MAX_ARGUMENT))
    throw new EngineError('INPUT_INVALID', 'A branch, range or path for git is too long, or contains a NUL character.')
  const path = makeTrustedPath(directory, process.env)
  const program = findProgram('git', path)
  if (program === undefined) throw gitMissing()
  // A caller that names the repository has made it itself.
  const place = more.GIT_DIR === undefined ? findRepository(directory) : makeRepositoryPlace(more.GIT_DIR)
  if (place !== undefined) refuseSpecialFiles(place)
  const pinned = place === undefined || args[0] === 'init' ? {} : pinWorkTree(place)
  return {
    program,
    args: hardenArguments(args),
    env: hardenEnvironment(path, process.env, { ...pinned, ...more }),
    filters: mayFilter(args) && mayNameFilter(place?.settings),
  }
}

/**
 * Starts git in `directory` (absolute); every git process of svc starts here or in `runGitSync`, with one list of settings and one environment
 * (git-hardening.ts), so that no repository can name a program to run. `env` is added: GIT_INDEX_FILE of a hook's index, for instance.
 * TOOL_MISSING where there is no git, REPO_UNREADABLE where the repository would have git wait for ever, INPUT_INVALID for an argument
 * that no process takes.
 */
export function startGit(
  directory: string,
  args: readonly string[],
  options: { env?: Environment; stdio: StdioOptions },
): ChildProcess {
  const call = prepare(directory, args, options.env)
  const env = call.filters ? { ...call.env, ...listedFilters(directory, call, options.env) } : call.env
  return spawn(call.program, call.args, { cwd: directory, env, stdio: options.stdio, windowsHide: true })
}

/** Runs git to its end without anything else going on; otherwise as `startGit`. */
export function runGitSync(directory: string, args: readonly string[], env?: Environment): SpawnSyncReturns<Buffer> {
  const call = prepare(directory, args, env)
  const all = call.filters ? { ...call.env, ...listedFilters(directory, call, env) } : call.env
  return spawnSync(call.program, call.args, { cwd: directory, env: all, windowsHide: true })
}

function listedFilters(directory: string, { program, env }: Call, more?: Environment): Environment {
  const args = hardenArguments(LIST_FILTERS)
  const { stdout, error } = spawnSync(program, args, { cwd: directory, env, windowsHide: true })
  if (error) throw spawnFailure(error)
  return disableFilters(stdout, { ...process.env, ...more })
}

function gitMissing(cause?: unknown): EngineError {
  return new EngineError('TOOL_MISSING', 'This is a git repository, and the program git was not found.', {
    hint: 'Install git and see that it is on the PATH, outside of the repository, then run the command again.',
    cause,
  })
}

/** The error for a git that could not be started. */
export function spawnFailure(error: NodeJS.ErrnoException): EngineError {
  if (error.code === 'ENOENT') return gitMissing(error)
  return new EngineError('TOOL_MISSING', `The program git could not be started: ${error.code ?? 'unknown reason'}.`, {
    hint: 'Try `git --version` in the same terminal.',
    cause: error,
  })
}
