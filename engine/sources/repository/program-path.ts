import { accessSync, constants, existsSync, lstatSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, isAbsolute, join, resolve, sep } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/** Where the system looks for programs when there is no PATH. */
const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin'

/** Suffixes that the system adds to a program's name when it looks for it. */
const SUFFIXES = process.platform === 'win32' ? ['.exe', '.cmd', '.bat', '.com'] : ['']

/**
 * The directories of PATH in which a program may be looked up on behalf of the repository around `directory`: absolute ones outside of it,
 * and of the repository that svc was started in. An
 * empty or relative entry stands for the working directory, in which whoever writes the repository could put a program named `git`.
 */
export function makeTrustedPath(directory: string, env: Environment): string {
  const path = env.PATH ?? DEFAULT_PATH
  const working = process.cwd()
  const key = `${directory}\0${working}\0${path}`
  const known = trusted.get(key)
  if (known !== undefined) return known
  const roots = [...new Set([...repositoriesAround(directory), ...repositoriesAround(working)])]
  const entries = path
    .split(delimiter)
    .filter(entry => isAbsolute(entry) && !roots.some(root => isWithin(root, resolve(entry))))
  const result = entries.join(delimiter)
  trusted.set(key, result)
  return result
}

const trusted = new Map<string, string>()
const found = new Map<string, string>()

/** Absolute path of a program in these directories (`makeTrustedPath`); undefined where none has it. */
export function findProgram(name: string, path: string): string | undefined {
  const key = `${name}\0${path}`
  const known = found.get(key)
  if (known !== undefined && existsSync(known)) return known
  for (const directory of path.split(delimiter)) {
    if (directory === '') continue
    for (const suffix of SUFFIXES) {
      const program = join(directory, name + suffix)
      if (!isExecutable(program)) continue
      found.set(key, program)
      return program
    }
  }
  return undefined
}

function isExecutable(program: string): boolean {
  try {
    accessSync(program, constants.X_OK)
    return statSync(program).isFile()
  } catch {
    return false
  }
}

/**
 * The directory itself and the top directories of all repositories around it. The user's home directory does not count as one for what lies
 * below: many keep their settings in git there, and their own programs beside them. Nor does a directory that the running Node lies in, such as
 * `/`: its content is trusted already.
 */
function repositoriesAround(directory: string): string[] {
  const start = resolve(directory)
  const home = homedir()
  const roots = [start]
  for (let at = dirname(start), last = start; at !== last && at !== home; last = at, at = dirname(at))
    if (lstatSync(join(at, '.git'), { throwIfNoEntry: false }) !== undefined) roots.push(at)
  return roots.filter(root => !isWithin(root, process.execPath))
}

function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)
}
