import { EngineError } from '../../base/errors.ts'
import { findProgram, makeTrustedPath } from '../../sources/repository/program-path.ts'
import { type CommandOptions, runCommand } from '../command.ts'
import { CPP_TOOLS, type CppTool, type InstalledTool } from './results.ts'

/** What a user may ask for. */
export const TOOL_CHOICES = ['auto', 'both', ...CPP_TOOLS] as const
export type ToolChoice = (typeof TOOL_CHOICES)[number]

const INSTALL =
  'Install them: `apt-get install cppcheck clang-tidy` (Debian, Ubuntu), `dnf install cppcheck clang-tools-extra` (Fedora), `brew install cppcheck llvm` (macOS).'
/** Names under which a distribution installs clang-tidy, the plain one first. */
const PROGRAMS: Readonly<Record<CppTool, readonly string[]>> = {
  'clang-tidy': ['clang-tidy', ...Array.from({ length: 15 }, (_, at) => `clang-tidy-${26 - at}`)],
  cppcheck: ['cppcheck'],
}

/**
 * The analyzers to run, with their versions: those of the choice, or with `auto` those that are installed. Programs are not looked up
 * in the repository. TOOL_MISSING where none is there, or one that was asked for is not, with how to install it.
 */
export async function findTools(choice: ToolChoice, options: CommandOptions): Promise<InstalledTool[]> {
  const asked = choice === 'auto' || choice === 'both' ? CPP_TOOLS : [choice]
  const path = makeTrustedPath(options.cwd, options.env)
  const found: InstalledTool[] = []
  const missing: string[] = []
  for (const name of asked) {
    const program = PROGRAMS[name].map(each => findProgram(each, path)).find(each => each !== undefined)
    if (program === undefined) missing.push(name)
    else found.push({ name, program, version: await readVersion(program, options) })
  }
  const isEnough = choice === 'auto' ? found.length > 0 : missing.length === 0
  if (isEnough) return found
  const verb = missing.length === 1 ? 'is' : 'are'
  throw new EngineError('TOOL_MISSING', `${missing.join(' and ')} ${verb} not installed.`, { hint: INSTALL })
}

async function readVersion(program: string, options: CommandOptions): Promise<string> {
  const ended = await runCommand([program, '--version'], options)
  const said = 'failure' in ended ? '' : ended.stdout.toString('utf8')
  return /\b\d+\.\d+(?:\.\d+)?\b/.exec(said)?.[0] ?? 'unknown'
}
