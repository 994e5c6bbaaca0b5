import type { Syntax } from '../taint/languages/syntax.ts'
import type { FunctionAnalysis } from './analysis.ts'
import { splitCondition } from './conditions.ts'
import { escapeDisplaced } from './expressions.ts'
import { ALLOCATES } from './library.ts'
import { jumpOut, walkLoop, walkMacroLoop, walkSwitch } from './loops.ts'
import { collectWords, listHeld, setIn } from './nodes.ts'
import { assignVariable, markEscaped, passOn } from './pointers.ts'
import { FREED, makeFact, meet, NULL, OTHER, OWNED, State, UNCHECKED, UNSET } from './state.ts'
import { findValues } from './values.ts'
import { readDeclared, type Variable } from './variables.ts'

/** Walks one kind of statement: `s` becomes what is known behind it. */
type Walk = (analysis: FunctionAnalysis, node: Syntax, s: State) => void

/** Kinds of statements of C and C++, each with what walks it; `evaluateOther` is for the rest. */
export const STATEMENTS: ReadonlyMap<string, Walk> = new Map<string, Walk>([
  ['break_statement', (analysis, _, s) => jumpOut(analysis, true, s)],
  ['compound_statement', walkBlock],
  ['continue_statement', (analysis, _, s) => jumpOut(analysis, false, s)],
  ['declaration', walkDeclaration],
  ['do_statement', walkDo],
  ['expression_statement', walkExpression],
  ['for_statement', walkFor],
  ['goto_statement', walkGoto],
  ['if_statement', walkIf],
  ['labeled_statement', walkLabeled],
  ['return_statement', walkReturn],
  ['switch_statement', walkSwitch],
  ['throw_statement', walkThrow],
  ['while_statement', walkWhile],
])

/** Names of macros that are a statement, and leave. */
const LEAVES = /^(?:\w+_)?(?:return|bail|abort|RETURN|BAIL|ABORT)(?:_(?!if|IF)\w+)?$/

/** Walks the body of a function. Without what declares it nothing is known of its parameters. */
export function walkFunction(analysis: FunctionAnalysis, body: Syntax, declared: Syntax | undefined): void {
  let declarator = declared
  while (declarator && declarator.kind !== 'function_declarator') declarator = declarator.field('declarator')
  analysis.name = declarator?.field('declarator')?.text ?? ''
  analysis.isStatic = /\bstatic\b/.test(analysis.text.slice(0, Math.max(0, declarator?.start ?? 0)))
  const s = new State()
  for (const part of declarator?.field('parameters')?.parts ?? []) {
    const inner = part.field('declarator')
    const declared = inner && readDeclared(inner, part.field('type')?.text ?? '', true, () => undefined)
    if (!declared) continue
    analysis.variables.set(declared.name, declared.variable)
    s.facts.set(declared.name, makeFact(OTHER, inner))
  }
  analysis.scopes.push(new Map(analysis.variables))
  walkAll(analysis, body, s)
  if (!s.isDead) reportLosses(analysis, { start: body.end - 1, end: body.end }, s)
}

/** A block, of which the names end with it: what they hold is lost, and what has the same names outside is not what it was. */
function walkBlock(analysis: FunctionAnalysis, node: Syntax, s: State): void {
  const own = new Map<string, Variable>()
  analysis.scopes.push(own)
  walkAll(analysis, node, s)
  analysis.scopes.pop()
  if (own.size === 0) return
  if (!s.isDead) reportLosses(analysis, { start: node.end - 1, end: node.end }, s, own)
  for (const name of own.keys()) {
    const outer = analysis.scopes.findLast(scope => scope.has(name))?.get(name)
    if (outer) analysis.variables.set(name, outer)
    s.forget(name)
  }
}

function walkAll(analysis: FunctionAnalysis, node: Syntax | undefined, s: State): void {
  const parts = node?.parts ?? []
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!
    analysis.walk(part, s)
    // The head of a loop that a macro is (`list_for_each(item, list)`): what follows is its body, and what it names may be set.
    const body = parts[at + 1]
    if (!body || !/^(?:expression|if|for|while)_statement$/.test(part.kind) || /[;}]$/.test(part.text)) continue
    walkMacroLoop(analysis, part, body, s)
    at++
  }
  const last = parts.at(-1)
  if (last && mayLeave(analysis, last)) s.forgetFreed()
}

/**
 * Whether a statement is a macro of a header that is not seen, and that may leave the function: at the end of a block nothing tells it from
 * a return (`free(p); FAIL(-1); }`).
 */
function mayLeave(analysis: FunctionAnalysis, { kind, parts }: Syntax): boolean {
  const [only] = parts
  if (kind !== 'expression_statement' || parts.length !== 1) return false
  const name = only!.kind === 'call_expression' ? only!.at('function') : only!
  return name.kind === 'identifier' && analysis.isUnseenMacro(name.text)
}

function walkExpression(analysis: FunctionAnalysis, { parts }: Syntax, s: State): void {
  for (const part of parts) analysis.evaluate(part, s)
  // A macro without arguments that says that it leaves.
  if (parts.length === 1 && parts[0]!.kind === 'identifier' && LEAVES.test(parts[0]!.text)) s.isDead = true
}

function walkWhile(analysis: FunctionAnalysis, node: Syntax, s: State): void {
  walkLoop(analysis, node, s, undefined, node.at('condition'), undefined, false)
}

function walkDo(analysis: FunctionAnalysis, node: Syntax, s: State): void {
  walkLoop(analysis, node, s, undefined, node.field('condition'), undefined, true)
}

function walkFor(analysis: FunctionAnalysis, node: Syntax, s: State): void {
  walkLoop(analysis, node, s, node.field('initializer'), node.field('condition'), node.field('update'), false)
}

/** Who catches it is not seen. */
function walkThrow(analysis: FunctionAnalysis, { parts }: Syntax, s: State): void {
  for (const part of parts) analysis.evaluate(part, s)
  s.isDead = true
}

function walkReturn(analysis: FunctionAnalysis, node: Syntax, s: State): void {
  const [value] = node.parts
  if (value) {
    const worth = analysis.evaluate(value, s)
    const name = worth?.kind === 'name' ? worth.name : undefined
    const known = name === undefined ? undefined : s.facts.get(name)
    if (known?.mask === FREED && analysis.isTracked(name!) && analysis.isPointer(name!))
      analysis.report('use-after-free', node, [{ start: known.at.start, end: known.at.end, label: 'freed here' }])
    markEscaped(worth, s)
    for (const name of listHeld(value)) markEscaped({ kind: 'name', name }, s)
  }
  reportLosses(analysis, node, s)
  s.isDead = true
}

function walkGoto(analysis: FunctionAnalysis, node: Syntax, s: State): void {
  const label = node.field('label')?.text ?? ''
  const before = analysis.pending.get(label)
  analysis.pending.set(label, before ? meet(before, s.copy()) : s.copy())
  s.isDead = true
}

function walkLabeled(analysis: FunctionAnalysis, node: Syntax, s: State): void {
  const before = analysis.pending.get(node.field('label')?.text ?? '')
  if (before) s.become(meet(s.copy(), before))
  // A jump back may come with other numbers.
  s.values.clear()
  for (const part of node.parts.slice(1)) analysis.walk(part, s)
}

/** What a macro or an extension makes of its parts is not seen. */
export function evaluateOther(analysis: FunctionAnalysis, node: Syntax, s: State): void {
  if (!/^(?:preproc_|type_definition|struct_specifier|static_assert|using_)/.test(node.kind)) analysis.evaluate(node, s)
  else if (/^preproc_(?:if|ifdef)/.test(node.kind)) for (const name of collectWords(node.text)) s.forget(name)
}

function walkDeclaration(analysis: FunctionAnalysis, node: Syntax, s: State): void {
  const type = node.field('type')?.text ?? ''
  const isMacro = node.field('type')?.kind === 'macro_type_specifier'
  // With `cleanup` a function is called when the name ends.
  const isKept = /^\s*(?:static|extern|thread_local|_Thread_local)\b|\bcleanup\w*\s*\(/.test(node.text)
  for (const part of node.parts) {
    if (!/declarator$|^identifier$/.test(part.kind)) continue
    const isGiven = part.kind === 'init_declarator'
    const inner = isGiven ? part.at('declarator') : part
    const value = isGiven ? part.field('value') : undefined
    const declared = readDeclared(inner, type, false, size => analysis.foldConstant(size))
    // The head of a loop that a macro is looks like the type of what is set in its body: `for_each_cpu(cpu) counts[cpu] = 0;`.
    if (isMacro && declared && analysis.variables.has(declared.name)) {
      if (value) passOn(analysis, value, s)
      if (inner.kind === 'identifier') s.facts.set(declared.name, makeFact(OTHER, inner))
      continue
    }
    if (value && inner.kind === 'reference_declarator') {
      passOn(analysis, value, s)
      continue
    }
    const worth = value && declared?.variable.kind !== 'array' ? analysis.evaluate(value, s) : undefined
    if (value && declared?.variable.kind === 'pointer') escapeDisplaced(value, s)
    if (value && declared?.variable.kind === 'array') passOn(analysis, value, s)
    if (!declared) {
      markEscaped(worth, s)
      continue
    }
    const { name } = declared
    const variable = isKept ? { ...declared.variable, isKept: true } : declared.variable
    analysis.variables.set(name, variable)
    analysis.scopes.at(-1)?.set(name, variable)
    if (variable.kind === 'array') continue
    if (isKept) s.facts.set(name, makeFact(OTHER, inner))
    else if (value) assignVariable(analysis, name, worth, part, s, findValues(analysis, value, s))
    else s.facts.set(name, makeFact(UNSET, inner))
  }
}

function walkIf(analysis: FunctionAnalysis, node: Syntax, s: State): void {
  const condition = node.at('condition')
  const [yes, no] = splitCondition(analysis, condition, s.copy())
  const otherwise = node.field('alternative')
  const then = node.at('consequence')
  analysis.walk(then, yes)
  for (const part of otherwise?.kind === 'else_clause' ? otherwise.parts : otherwise ? [otherwise] : [])
    analysis.walk(part, no)
  s.become(meet(yes, no, () => new Set([...collectWords(condition.text), ...setIn(node.text)])))
}

/** The function, or the block that declares some names, ends here: what it alone holds is lost. */
function reportLosses(
  analysis: FunctionAnalysis,
  at: { start: number; end: number },
  s: State,
  own?: ReadonlyMap<string, Variable>,
): void {
  if (analysis.name === 'main') return
  for (const [name, known] of s.facts) {
    if (own && !own.has(name)) continue
    const { mask } = known
    if (!(mask & (OWNED | UNCHECKED)) || mask & ~(OWNED | UNCHECKED | NULL) || !analysis.isTracked(name)) continue
    const variable = analysis.variables.get(name)
    if (variable?.isParameter || variable?.isKept) continue
    const call = /^\w+/.exec(analysis.text.slice(known.at.start, known.at.end))?.[0] ?? ''
    const isFile = Object.hasOwn(ALLOCATES, call) && ALLOCATES[call]!.is === 'file'
    const label = isFile ? 'opened here' : 'allocated here'
    analysis.reportLost(isFile ? 'open-file' : 'leak', at, { start: known.at.start, end: known.at.end, label })
  }
}
