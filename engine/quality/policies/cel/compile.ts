import type { CelInput, CelResult } from '@bufbuild/cel'
import type { CelSubject } from '../policy.ts'
import { CelTypeError, type Checked, checkTypes } from './check.ts'
import {
  BOOL,
  type CelKind,
  type FactKind,
  formatKind,
  isAssignable,
  SHARED_VARIABLES,
  STRING,
  SUBJECT_VARIABLES,
} from './types.ts'

/** The parser goes a call deeper with each bracket, so that a longer text could end the process. */
export const LONGEST_EXPRESSION = 4000
/** Brackets within each other. */
const DEEPEST = 60

/** An expression that can be evaluated. */
export interface CompiledCel {
  source: string
  variables: ReadonlySet<string>
  needs: ReadonlySet<FactKind>
  evaluate: (variables: Record<string, CelInput>) => CelResult
}

/** Compiles the expressions of policies; loaded where a policy has one. */
export interface CelCompiler {
  /** The expression of a type; CelTypeError for the first fault. */
  compile(source: string, subject: CelSubject, wanted: 'bool' | 'string'): CompiledCel
}

/** Loads the library. */
export async function loadCel(): Promise<CelCompiler> {
  const { celEnv, parse, plan, strings } = await import('./library.ts')
  const env = celEnv({ funcs: strings })
  return {
    compile(source, subject, wanted) {
      refuseLong(source)
      let parsed: ReturnType<typeof parse>
      try {
        parsed = parse(source)
      } catch (error) {
        throw toSyntaxFault(error)
      }
      const checked: Checked = checkTypes(parsed, source, env, { ...SHARED_VARIABLES, ...SUBJECT_VARIABLES[subject] })
      const type: CelKind = wanted === 'bool' ? BOOL : STRING
      if (!isAssignable(checked.type, type))
        throw new CelTypeError(`the expression must give ${wanted}, but gives ${formatKind(checked.type)}`, 0)
      const evaluate = plan(env, parsed) as CompiledCel['evaluate']
      return { source, variables: checked.variables, needs: checked.needs, evaluate }
    },
  }
}

function refuseLong(source: string): void {
  if (source.length > LONGEST_EXPRESSION)
    throw new CelTypeError(`the expression has ${source.length} characters, but the limit is ${LONGEST_EXPRESSION}`, 0)
  let depth = 0
  for (let at = 0; at < source.length; at++) {
    if ('([{'.includes(source[at]!)) depth++
    else if (')]}'.includes(source[at]!)) depth--
    if (depth > DEEPEST)
      throw new CelTypeError(`the expression has more than ${DEEPEST} brackets within each other`, at)
  }
}

/** The parser's complaint with its place. */
function toSyntaxFault(error: unknown): CelTypeError {
  const { message, rawMessage, location } = error as Error & {
    rawMessage?: string
    location?: { start?: { offset?: number } }
  }
  return new CelTypeError(`the expression cannot be parsed: ${rawMessage ?? message}`, location?.start?.offset ?? 0)
}
