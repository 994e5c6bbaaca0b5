import type { SgNode } from '@ast-grep/napi'
import type { SnippetModel, Surrounding } from '../../base/records/snippet-model.ts'
import { formatCount } from '../../base/text/words.ts'
import { registerGrammars } from '../syntax/grammar.ts'
import { parseSyntax } from '../syntax/parsed.ts'
import { compileExpression } from '../taint/expression.ts'
import type { ModuleForm } from '../taint/ir.ts'
import { findAdapter } from '../taint/languages/adapters.ts'
import { type FreeName, listFreeNames, TooDeep } from './free-names.ts'
import { type Insertion, insertLines } from './insertion.ts'

/** What a name was taken for. */
export interface Assumption {
  name: string
  means: string
}

/** Code with the lines that it lacks to be analyzed. */
export interface Completed {
  inserted: Insertion
  assumed: readonly Assumption[]
  /** What the whole code was taken for, where it is no whole file. */
  surrounding?: string
  /** By the lines that declare them: names that were made untrusted input. */
  unknown: ReadonlyMap<number, FreeName>
}

/** What there is to ask of code besides itself. */
export interface Completions {
  /** The code as what its names and its form are taken for; left out where they are taken for nothing. */
  assumed?: Completed
  /** The same, with names of which nothing is known as untrusted input; left out where there is none. */
  unknown?: Completed
  /** Why not all names were looked for: no rule that follows input is evaluated then. */
  fault?: { reason: 'too_deep' | 'too_costly'; detail: string }
}

/** Longer code is no snippet: it is taken as it is. */
const MOST_CHARACTERS = 200_000

/** More names of unknown origin are not asked about: code with so many is no snippet. */
const MOST_NAMES = 200

/** Stands for the name in a line of a model. */
const NAME = '\uFFFC'

/**
 * The code with lines put into it for the names that it declares nowhere and for the function that it lacks. Nothing for code that says all
 * of that itself, that is longer than a snippet, or in whose language there is no taint analysis.
 */
export function completeSnippet(code: string, language: string, model: SnippetModel): Completions {
  try {
    return complete(code, language, model)
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error
    return {
      fault: { reason: 'too_deep', detail: 'Undeclared names were not looked for: the code is nested too deeply.' },
    }
  }
}

function complete(code: string, language: string, model: SnippetModel): Completions {
  if (code.length > MOST_CHARACTERS) return {}
  registerGrammars()
  const at = model.head === undefined ? 0 : (compileExpression(`^(?:${model.head})`).exec(code)?.[0].length ?? 0)
  const bare = lower(code, language)
  if (!bare) return {}
  const around = findSurrounding(code, at, language, listSurroundings(model.around, bare.module, code))
  const { module, root } = around?.lowered ?? bare
  const offset = around ? around.inserted.length : 0
  const free = listFreeNames(module, root, { start: at, end: at + offset }).map(each => ({
    ...each,
    start: each.start < at ? each.start : each.start - offset,
  }))
  const lines = around ? around.surrounding.before.split('\n') : []
  const after = around ? around.surrounding.after : ''
  const assumed: Assumption[] = []
  for (const { name } of free) {
    const entry = model.names.find(
      ({ names, written }) => names.includes(name) && (written === undefined || compileExpression(written).test(code)),
    )
    if (!entry) continue
    assumed.push({ name, means: entry.means })
    lines.push(entry.before.replaceAll(NAME, name))
  }
  const { unknown } = model
  const named = new Set(assumed.map(({ name }) => name))
  const all = free.filter(
    ({ name, isValue, isInFunction }) => isValue && !isInFunction && !named.has(name) && !isKnown(name, unknown?.known),
  )
  const others = all.slice(0, MOST_NAMES)
  const more = { assumed, ...(around && { surrounding: around.surrounding.means }) }
  const out: Completions = {}
  if (lines.length > 0) out.assumed = { ...more, inserted: insertLines(code, at, lines, after), unknown: new Map() }
  if (unknown && others.length > 0) {
    const asked = others.map(({ name }) => unknown.before.replaceAll(NAME, name))
    const inserted = insertLines(code, at, [...lines, ...asked], after)
    const first = inserted.line + lines.length
    out.unknown = { ...more, inserted, unknown: new Map(others.map((name, index) => [first + index, name])) }
  }
  if (all.length > MOST_NAMES) {
    const detail = `Of ${formatCount(all.length, 'undeclared name')} the first ${MOST_NAMES} were looked at.`
    out.fault = { reason: 'too_costly', detail }
  }
  return out
}

/** Whether a name needs no declaration. */
function isKnown(name: string, known: readonly string[] = []): boolean {
  return known.some(each => (each.startsWith('/') ? compileExpression(each.slice(1, -1)).test(name) : each === name))
}

/** What the code may be the inside of. */
function listSurroundings(around: readonly Surrounding[], module: ModuleForm, code: string): readonly Surrounding[] {
  const isMeant = ({ written }: Surrounding) => written !== undefined && compileExpression(written).test(code)
  return around.filter(each => (module.classes.length === 0 && isMeant(each)) || isEmpty(module))
}

/** The first surrounding under which the code has no errors of syntax. */
function findSurrounding(code: string, at: number, language: string, around: readonly Surrounding[]) {
  for (const surrounding of around) {
    const inserted = insertLines(code, at, surrounding.before.split('\n'), surrounding.after)
    const lowered = lower(inserted.code, language)
    if (lowered && !lowered.root.find({ rule: { kind: 'ERROR' } })) return { surrounding, lowered, inserted }
  }
  return undefined
}

/** A tree, and what the taint analysis sees in it. */
interface Lowered {
  root: SgNode
  module: ModuleForm
}

/** The code as the taint analysis sees it; undefined where that is not of the language, or the code is nested too deeply. */
function lower(code: string, language: string): Lowered | undefined {
  const parsed = parseSyntax(language, code)
  const adapter = findAdapter(language)
  if (!adapter || !('root' in parsed)) return undefined
  return { root: parsed.root, module: adapter.lower(parsed.root, code) }
}

/** Whether the analysis sees nothing in it. */
function isEmpty(module: ModuleForm): boolean {
  return module.classes.length + module.functions.length + module.body().length === 0
}
