import type { SgNode } from '@ast-grep/napi'
import type { Expression, FunctionForm, ModuleForm, Span } from '../taint/ir.ts'

/** Forms within forms that are read: deeper ones would end the stack. */
const DEEPEST = 2000

/** Thrown where code is nested too deeply to look for its names. */
export class TooDeep extends Error {}

/** No program has longer names. */
const LONGEST_NAME = 200

/** A name that code uses and declares nowhere. */
export interface FreeName {
  name: string
  /** Offset of its first use. */
  start: number
  /** Whether it is used as a value somewhere: not only called, or called methods of. */
  isValue: boolean
  /** Whether each use stands in a function: what that is called with or finds around it, other code decides. */
  isInFunction: boolean
}

/**
 * The names that the code uses and declares nowhere, by their first use; `root` is its tree. One that is declared in any scope of the code
 * counts as declared, and so does one in a place that the analysis does not see as a use, such as a pattern: no name of this list is declared. A
 * function that begins in `around` is none of the code's own. Longer names than any that a person writes are left out.
 */
export function listFreeNames(module: ModuleForm, root: SgNode, around: Span = { start: 0, end: 0 }): FreeName[] {
  const reader = new NameReader()
  for (const name of module.imports.keys()) if (!module.presumed?.has(name)) reader.declared.add(name)
  reader.read([module.classes, module.functions, module.body()])
  for (const name of reader.declared) reader.uses.delete(name)
  for (const name of reader.uses.keys()) if (name.length > LONGEST_NAME) reader.uses.delete(name)
  const functions = reader.functions.filter(({ start }) => start < around.start || start >= around.end)
  const isInOne = (at: number) => functions.some(({ start, end }) => at >= start && at < end)
  for (const name of listWithOtherPlaces(root, reader.uses)) reader.uses.delete(name)
  return [...reader.uses]
    .map(([name, { starts, isValue }]) => {
      const all = [...starts]
      return { name, start: all.reduce((a, b) => Math.min(a, b)), isValue, isInFunction: all.every(isInOne) }
    })
    .sort((a, b) => a.start - b.start)
}

/** The names of which an identifier is none of these uses; members of that name aside. */
function listWithOtherPlaces(root: SgNode, uses: NameReader['uses']): string[] {
  if (uses.size === 0) return []
  // Letters beyond ASCII stand for themselves, which an escape in front of them would not.
  const names = [...uses.keys()].map(name => name.replace(/[!-/:-@[-^`{-~]/g, '\\$&'))
  return root
    .findAll({ rule: { regex: `^(?:${names.join('|')})$` } })
    .filter(node => IDENTIFIER.test(node.kind() as string) && !isMember(node))
    .filter(node => !uses.get(node.text())?.starts.has(node.range().start.index))
    .map(node => node.text())
}

/** Kinds of nodes that are names, over all grammars; where those of members are a kind of their own, they are left out. */
const IDENTIFIER =
  /^(?:(?:simple_|shorthand_property_)?identifier(?:_pattern)?|shorthand_property_identifier_pattern|variable_name)$/

function isMember(node: SgNode): boolean {
  const before = node.prev()?.text()
  return before === '.' || before === '?.' || before === '&.'
}

/** Reads forms of any kind: what it does not tell apart is made of further forms, which it reads. */
class NameReader {
  readonly declared = new Set<string>()
  readonly functions: Span[] = []
  readonly uses = new Map<string, { starts: Set<number>; isValue: boolean }>()
  /** A function stands in the list of functions, and where it is written. */
  readonly #seen = new Set<object>()
  #depth = 0

  read(form: unknown): void {
    if (typeof form !== 'object' || form === null || this.#seen.has(form)) return
    this.#seen.add(form)
    if (++this.#depth > DEEPEST) throw new TooDeep()
    if (Array.isArray(form)) for (const part of form) this.read(part)
    else if ('kind' in form) this.#readKind(form as Expression)
    else this.#readParts(form as FunctionForm)
    this.#depth--
  }

  #readKind(form: Expression | { kind: 'declare'; name: string } | { kind: 'each'; target: Expression }): void {
    switch (form.kind) {
      case 'name':
        this.#use(form, true)
        return
      case 'call':
        this.#readCallee(form.callee)
        this.read(form.args)
        return
      case 'assign':
        if (form.operator === undefined) this.#declare(form.target)
        else this.read(form.target)
        this.read(form.value)
        return
      case 'each':
        this.#declare(form.target)
        break
      case 'declare':
        this.declared.add(form.name)
        break
      case 'comprehension':
        for (const { target } of form.loops) this.#declare(target)
        break
    }
    this.#readParts(form)
  }

  /** The values that a form is made of. */
  #readParts(form: object): void {
    if (declaresName(form)) this.declared.add(form.name)
    if ('parameters' in form && 'start' in form) this.functions.push(form as unknown as Span)
    for (const [key, value] of Object.entries(form)) {
      if (key === 'pattern' && value) this.#declare(value as Expression)
      else this.read(typeof value === 'function' ? value() : value)
    }
  }

  /** The names in what is assigned to; an element or a member that is assigned to is one of something that is used. */
  #declare(target: Expression): void {
    if (target.kind === 'name') this.declared.add(target.name)
    else if (target.kind === 'list') for (const { value } of target.items) this.#declare(value)
    else if (target.kind === 'map') for (const { value } of target.entries) this.#declare(value)
    else if (target.kind === 'assign') {
      this.#declare(target.target)
      this.read(target.value)
    } else if (target.kind === 'unknown') for (const part of target.parts) this.#declare(part)
    else this.read(target)
  }

  #readCallee(callee: Expression): void {
    if (callee.kind === 'name') this.#use(callee, false)
    else if (callee.kind === 'member') this.#readCallee(callee.object)
    else this.read(callee)
  }

  #use({ name, start }: Expression & { kind: 'name' }, isValue: boolean): void {
    const known = this.uses.get(name) ?? { starts: new Set(), isValue: false }
    known.starts.add(start)
    known.isValue ||= isValue
    this.uses.set(name, known)
  }
}

/** Of forms that are no expressions those that have a place declare their name, as do handlers of exceptions; arguments and decorators only have one. */
function declaresName(form: object): form is { name: string } {
  const isDeclaration = !('kind' in form) && ('start' in form || 'body' in form)
  return isDeclaration && 'name' in form && typeof form.name === 'string'
}
