import type { Syntax } from '../taint/languages/syntax.ts'
import { ALLOCATES } from './library.ts'
import type { Macros } from './macros.ts'
import { addressedIn, heldIn, setIn, words } from './nodes.ts'
import type { Left } from './pointers.ts'
import { Rounds } from './rounds.ts'
import { FREED, fact, meet, NULL, OTHER, OWNED, State, UNCHECKED, UNSET } from './state.ts'
import { declaredBy, type Variable } from './variables.ts'

/** Names of macros that are a statement, and leave. */
const LEAVES = /^(?:\w+_)?(?:return|bail|abort|RETURN|BAIL|ABORT)(?:_(?!if|IF)\w+)?$/

/** What the file around a function says of the names in it. */
export interface FileKnowledge {
  macros: Macros
  /** Whether a function of the name never comes back. */
  isEnding(name: string): boolean
}

/** One function carried out statement by statement, every way through it that its conditions leave. */
export class FunctionWalk extends Rounds {
  protected readonly text: string
  protected readonly left: Left
  readonly #file: FileKnowledge
  /** What the blocks around a place declare, the innermost last. */
  readonly #scopes: Map<string, Variable>[] = []
  /** States that jump to a label that is still to come. */
  readonly #pending = new Map<string, State>()
  #name = ''

  /** `left` is counted down. */
  constructor(text: string, file: FileKnowledge, left: Left) {
    super()
    this.left = left
    this.text = text
    this.#file = file
    this.addressed = addressedIn(text)
  }

  protected macro(name: string): number | undefined {
    return this.#file.macros.number(name)
  }

  protected isMacro(name: string): boolean {
    return /^[A-Z_][A-Z0-9_]*$/.test(name) || this.#file.macros.isCall(name)
  }

  protected isEnd(name: string): boolean {
    return this.#file.macros.leaves(name) || this.#file.isEnding(name)
  }

  /** Whether the function asks for the length of the text, or compares it, or has it filled with so little that it fits. */
  protected isMeasured(name: string, to: string, room: number): boolean {
    const filled = new RegExp(`\\b(?:fgets|v?snprintf)\\s*\\(\\s*${name}\\s*,\\s*(\\d+)\\s*,`).exec(this.text)?.[1]
    if (filled !== undefined && Number(filled) <= room) return true
    return new RegExp(
      `(?:len|cmp|size)\\w*\\s*\\([^;]*\\b${name}\\b|\\b${name}\\s*,\\s*sizeof\\s*\\(?\\s*${to}\\b`,
    ).test(this.text)
  }

  /** Carries the body of a function out. Without what declares it nothing is known of its parameters. */
  run(body: Syntax, declared: Syntax | undefined): void {
    let declarator = declared
    while (declarator && declarator.kind !== 'function_declarator') declarator = declarator.field('declarator')
    this.#name = declarator?.field('declarator')?.text ?? ''
    const s = new State()
    for (const part of declarator?.field('parameters')?.parts ?? []) {
      const inner = part.field('declarator')
      const declared = inner && declaredBy(inner, part.field('type')?.text ?? '', true, () => undefined)
      if (!declared) continue
      this.variables.set(declared.name, declared.variable)
      s.facts.set(declared.name, fact(OTHER, inner))
    }
    this.#scopes.push(new Map(this.variables))
    this.#all(body, s)
    if (!s.isDead) this.#leaves({ start: body.end - 1, end: body.end }, s)
  }

  /** A block, of which the names end with it: what they hold is lost, and what has the same names outside is not what it was. */
  #block(node: Syntax, s: State): void {
    const own = new Map<string, Variable>()
    this.#scopes.push(own)
    this.#all(node, s)
    this.#scopes.pop()
    if (own.size === 0) return
    if (!s.isDead) this.#leaves({ start: node.end - 1, end: node.end }, s, own)
    for (const name of own.keys()) {
      const outer = this.#scopes.findLast(scope => scope.has(name))?.get(name)
      if (outer) this.variables.set(name, outer)
      s.forget(name)
    }
  }

  #all(node: Syntax | undefined, s: State): void {
    const parts = node?.parts ?? []
    for (let at = 0; at < parts.length; at++) {
      const part = parts[at]!
      this.statement(part, s)
      // The head of a loop that a macro is (`list_for_each(item, list)`): what follows is its body, and what it names may be set.
      const body = parts[at + 1]
      if (!body || !/^(?:expression|if|for|while)_statement$/.test(part.kind) || /[;}]$/.test(part.text)) continue
      this.macroLoop(part, body, s)
      at++
    }
  }

  protected statement(node: Syntax, s: State): void {
    this.step()
    if (s.isDead && !/^(?:labeled_statement|compound_statement|case_statement)$/.test(node.kind)) return
    switch (node.kind) {
      case 'compound_statement':
        this.#block(node, s)
        return
      case 'expression_statement':
        for (const part of node.parts) this.value(part, s)
        // A macro without arguments that says that it leaves.
        if (node.parts.length === 1 && node.parts[0]!.kind === 'identifier' && LEAVES.test(node.parts[0]!.text))
          s.isDead = true
        return
      case 'declaration':
        this.#declare(node, s)
        return
      case 'if_statement':
        this.#if(node, s)
        return
      case 'while_statement':
        this.loop(node, s, undefined, node.at('condition'), undefined, false)
        return
      case 'do_statement':
        this.loop(node, s, undefined, node.field('condition'), undefined, true)
        return
      case 'for_statement':
        this.loop(node, s, node.field('initializer'), node.field('condition'), node.field('update'), false)
        return
      case 'switch_statement':
        this.switch(node, s)
        return
      // Who catches it is not seen.
      case 'throw_statement':
        for (const part of node.parts) this.value(part, s)
        s.isDead = true
        return
      case 'return_statement': {
        const [value] = node.parts
        if (value) {
          const worth = this.value(value, s)
          const known = worth?.kind === 'name' ? s.facts.get(worth.name) : undefined
          if (
            worth?.kind === 'name' &&
            known?.mask === FREED &&
            this.isTracked(worth.name) &&
            this.isPointer(worth.name)
          )
            this.report('use-after-free', node, [{ start: known.at.start, end: known.at.end, label: 'freed here' }])
          this.escape(worth, s)
          for (const name of heldIn(value)) this.escape({ kind: 'name', name }, s)
        }
        this.#leaves(node, s)
        s.isDead = true
        return
      }
      case 'break_statement':
      case 'continue_statement':
        this.leave(node.kind === 'break_statement', s)
        return
      case 'goto_statement': {
        const label = node.field('label')?.text ?? ''
        const before = this.#pending.get(label)
        this.#pending.set(label, before ? meet(before, s.copy()) : s.copy())
        s.isDead = true
        return
      }
      case 'labeled_statement': {
        const before = this.#pending.get(node.field('label')?.text ?? '')
        if (before) s.become(meet(s.copy(), before))
        for (const part of node.parts.slice(1)) this.statement(part, s)
        return
      }
      // What a macro or an extension makes of its parts is not seen.
      default:
        if (!/^(?:preproc_|type_definition|struct_specifier|static_assert|using_)/.test(node.kind)) this.value(node, s)
        else if (/^preproc_(?:if|ifdef)/.test(node.kind)) for (const name of words(node.text)) s.forget(name)
    }
  }

  protected isPointer(name: string): boolean {
    return this.variables.get(name)?.kind === 'pointer'
  }

  #declare(node: Syntax, s: State): void {
    const type = node.field('type')?.text ?? ''
    const isMacro = node.field('type')?.kind === 'macro_type_specifier'
    // With `cleanup` a function is called when the name ends.
    const isKept = /^\s*(?:static|extern|thread_local|_Thread_local)\b|\bcleanup\w*\s*\(/.test(node.text)
    for (const part of node.parts) {
      if (!/declarator$|^identifier$/.test(part.kind)) continue
      const isGiven = part.kind === 'init_declarator'
      const inner = isGiven ? part.at('declarator') : part
      const value = isGiven ? part.field('value') : undefined
      const declared = declaredBy(inner, type, false, size => this.constant(size))
      // The head of a loop that a macro is looks like the type of what is set in its body: `for_each_cpu(cpu) counts[cpu] = 0;`.
      if (isMacro && declared && this.variables.has(declared.name)) {
        if (value) this.give(value, s)
        if (inner.kind === 'identifier') s.facts.set(declared.name, fact(OTHER, inner))
        continue
      }
      if (value && inner.kind === 'reference_declarator') {
        this.give(value, s)
        continue
      }
      const worth = value && declared?.variable.kind !== 'array' ? this.value(value, s) : undefined
      if (value && declared?.variable.kind === 'pointer') this.displaced(value, s)
      if (value && declared?.variable.kind === 'array') this.give(value, s)
      if (!declared) {
        this.escape(worth, s)
        continue
      }
      const { name } = declared
      const variable = isKept ? { ...declared.variable, isKept: true } : declared.variable
      this.variables.set(name, variable)
      this.#scopes.at(-1)?.set(name, variable)
      if (variable.kind === 'array') continue
      if (isKept) s.facts.set(name, fact(OTHER, inner))
      else if (value) this.set(name, worth, part, s)
      else s.facts.set(name, fact(UNSET, inner))
    }
  }

  #if(node: Syntax, s: State): void {
    const condition = node.at('condition')
    const [yes, no] = this.test(condition, s.copy())
    const otherwise = node.field('alternative')
    const then = node.at('consequence')
    this.statement(then, yes)
    for (const part of otherwise?.kind === 'else_clause' ? otherwise.parts : otherwise ? [otherwise] : [])
      this.statement(part, no)
    s.become(meet(yes, no, () => new Set([...words(condition.text), ...setIn(node.text)])))
  }

  /** The function, or the block that declares some names, ends here: what it alone holds is lost. */
  #leaves(at: { start: number; end: number }, s: State, own?: ReadonlyMap<string, Variable>): void {
    if (this.#name === 'main') return
    for (const [name, known] of s.facts) {
      if (own && !own.has(name)) continue
      const { mask } = known
      if (!(mask & (OWNED | UNCHECKED)) || mask & ~(OWNED | UNCHECKED | NULL) || !this.isTracked(name)) continue
      const variable = this.variables.get(name)
      if (variable?.isParameter || variable?.isKept) continue
      const call = /^\w+/.exec(this.text.slice(known.at.start, known.at.end))?.[0] ?? ''
      const isFile = Object.hasOwn(ALLOCATES, call) && ALLOCATES[call]!.is === 'file'
      const label = isFile ? 'opened here' : 'allocated here'
      this.reportLost(isFile ? 'open-file' : 'leak', at, { start: known.at.start, end: known.at.end, label })
    }
  }
}
