import type { TaintModel } from '../../base/records/taint-model.ts'
import type { Argument, Expression, FunctionForm, ModuleForm, Span } from '../taint/ir.ts'
import { BY_TYPE } from './asks.ts'

/** A name in code whose value may stand elsewhere in the repository. */
export interface Use extends Span {
  /** `program`: a constant of another file; `environment`: a variable of a process; `settings`: a key of a file of settings; `module`: a variable or local of Terraform. */
  kind: 'program' | 'environment' | 'settings' | 'module'
  /** The full name by the imports; the key. */
  name: string
  /** What is written before the value and behind it in its place. */
  before?: string
  after?: string
}

/** How a language reads values by their keys, as its libraries say. */
export interface Readers {
  environment: { calls: readonly string[]; members: readonly string[] }
  settings: { calls: readonly string[]; annotations: readonly string[] }
}

/** What a language's libraries say of how its programs read the environment, and files of settings. */
export function listReaders({ sources, settingsReads = [] }: TaintModel): Readers {
  const environment = sources.filter(({ kind }) => kind === 'environment')
  return {
    environment: {
      calls: environment.flatMap(({ calls = [] }) => calls.map(nameInCode)),
      members: environment.flatMap(({ members = [] }) => members),
    },
    settings: {
      calls: settingsReads.flatMap(({ calls = [] }) => calls.map(nameInCode)),
      annotations: settingsReads.flatMap(({ annotations = [] }) => annotations.filter(name => /^\w+$/.test(name))),
    },
  }
}

/** A call as programs write it: `System.getenv` of `java.lang.System.getenv`. */
function nameInCode(call: string): string {
  return /^(?:[a-z]\w*\.){2,}[A-Z]/.test(call) ? call.split('.').slice(-2).join('.') : call
}

/** Uses of one file; what has more was made by a program. */
const MOST_USES = 400

/**
 * The names and keys of a file whose value may stand in another one, in order. Only what has one of the places is read: to lower a whole file
 * takes longer than to search it.
 */
export function findUses(
  module: ModuleForm,
  { text, language }: { text: string; language: string },
  readers: Readers,
  places: readonly number[],
): Use[] {
  const finder = new UseFinder(module, text, language, readers)
  finder.findAll(places)
  return finder.uses
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .filter((use, index, all) => index === 0 || use.start >= all[index - 1]!.end)
    .slice(0, MOST_USES)
}

class UseFinder {
  readonly uses: Use[] = []
  readonly #module: ModuleForm
  readonly #text: string
  readonly #language: string
  readonly #readers: Readers
  readonly #visited = new Set<FunctionForm>()
  /** Fields that a framework fills, with the keys of their values. */
  readonly #filled: ReadonlyMap<string, string>
  /** Names of parameters and variables of the functions around. */
  #shadows: string[] = []

  constructor(module: ModuleForm, text: string, language: string, readers: Readers) {
    this.#module = module
    this.#text = text
    this.#language = language
    this.#readers = readers
    this.#filled = mapFilled(text, readers.settings.annotations)
  }

  findAll(places: readonly number[]): void {
    const { functions, classes } = this.#module
    const has = ({ start, end }: Span) => places.some(place => start <= place && place < end)
    const forms = [...functions, ...classes.flatMap(({ methods }) => methods)]
    const filled = [...this.#filled.keys()]
    const isReader = ({ start, end }: Span) => {
      const own = filled.length === 0 ? '' : this.#text.slice(start, end)
      return filled.some(name => own.includes(name))
    }
    for (const { fields } of classes) for (const field of fields) if (has(field)) this.#visit(field.value?.())
    for (const form of forms) if (has(form) || isReader(form)) this.#enter(form)
    if (places.some(place => !forms.some(form => form.start <= place && place < form.end)))
      this.#visit(this.#module.body())
  }

  #enter(form: FunctionForm): void {
    if (this.#visited.has(form)) return
    this.#visited.add(form)
    const before = this.#shadows
    this.#shadows = [...before, ...form.parameters.map(({ name }) => name)]
    for (const parameter of form.parameters) this.#visit(parameter.default)
    this.#visit(form.body())
    this.#shadows = before
  }

  /** Everything below a statement or expression that is evaluated, whatever its kind. */
  #visit(part: unknown): void {
    if (Array.isArray(part)) {
      for (const each of part) this.#visit(each)
      return
    }
    if (typeof part !== 'object' || part === null) return
    const form = part as { kind?: string }
    switch (form.kind) {
      case 'function':
        this.#enter((part as { function: FunctionForm }).function)
        return
      case 'declare':
        this.#visit((part as { value?: Expression }).value)
        this.#shadows.push((part as { name: string }).name)
        return
      case 'assign': {
        const { target, value } = part as Expression & { kind: 'assign' }
        if (target.kind === 'index') this.#visit(target.index)
        this.#visit(value)
        return
      }
      case 'map':
        for (const { key, value } of (part as Expression & { kind: 'map' }).entries) this.#visitEntry(key, value)
        return
      case 'delete':
        return
    }
    if (this.#note(part as Expression)) return
    if (form.kind === 'call') this.#visitCall(part as Expression & { kind: 'call' })
    else for (const each of Object.values(part)) if (typeof each === 'object') this.#visit(each)
  }

  #visitCall({ callee, args }: Expression & { kind: 'call' }): void {
    if (callee.kind === 'member') this.#visit(callee.object)
    else if (callee.kind !== 'name') this.#visit(callee)
    this.#visit(args)
  }

  /** `{ NAME }` is `{ NAME: … }`. */
  #visitEntry(key: Expression | undefined, value: Expression): void {
    if (key?.kind !== 'name' && key?.kind !== 'literal') this.#visit(key)
    const { length } = this.uses
    this.#visit(value)
    const short = this.uses[length]
    if (short && key && key.start === value.start && key.end === value.end)
      short.before = `${this.#text.slice(key.start, key.end)}: `
  }

  /** Notes what an expression looks up, and answers whether that is all of it. */
  #note(expression: Expression): boolean {
    const { start, end } = expression
    // Of `look(key) || other` the value is that of the key, where it has one.
    const read = readFirst(expression)
    const key = this.#findRead(read)
    if (key) {
      this.uses.push({ ...key, start, end })
      return true
    }
    if (read !== expression || (read.kind !== 'name' && read.kind !== 'member')) return false
    const filled = this.#findFilled(read)
    if (filled !== undefined) {
      this.uses.push({ kind: 'settings', name: filled, start, end })
      return true
    }
    const name = this.#findConstantName(read)
    if (name === undefined) return false
    this.uses.push({ kind: 'program', name, start, end })
    return true
  }

  /** The key of the field that an expression reads. */
  #findFilled(expression: Expression & { kind: 'name' | 'member' }): string | undefined {
    const { kind, name } = expression
    if (kind === 'name' ? this.#shadows.includes(name) : expression.object.kind !== 'this') return undefined
    return this.#filled.get(name)
  }

  /** The full name of a constant that another file may have. */
  #findConstantName(expression: Expression): string | undefined {
    const names: string[] = []
    let at = expression
    for (; at.kind === 'member'; at = at.object) names.unshift(at.name)
    if (at.kind !== 'name' || this.#shadows.includes(at.name) || names.length > 3) return undefined
    const imported = this.#module.imports.get(at.name)
    if (imported !== undefined) return [imported, ...names].join('.')
    if (names.length === 0 || !BY_TYPE.test(this.#language) || !/^[A-Z]/.test(at.name)) return undefined
    return this.#module.classes.some(({ name }) => name === at.name) ? undefined : [at.name, ...names].join('.')
  }

  /** The key that an expression reads of the environment, or of a file of settings. */
  #findRead(expression: Expression): Pick<Use, 'kind' | 'name'> | undefined {
    const { environment, settings } = this.#readers
    if (expression.kind === 'member') {
      const isOf = environment.members.includes(this.#path(expression.object))
      return isOf ? { kind: 'environment', name: expression.name } : undefined
    }
    if (expression.kind === 'index') {
      const key = expression.index?.kind === 'literal' ? expression.index.value : undefined
      const isOf = typeof key === 'string' && environment.members.includes(this.#path(expression.object))
      return isOf ? { kind: 'environment', name: key } : undefined
    }
    if (expression.kind !== 'call') return undefined
    const { callee, args } = expression
    const key = readKey(args)
    if (key === undefined) return undefined
    const path = this.#path(callee)
    if (environment.calls.includes(path)) return { kind: 'environment', name: key }
    if (callee.kind !== 'member') return undefined
    if (environment.members.includes(this.#path(callee.object))) return { kind: 'environment', name: key }
    const isSetting = settings.calls.includes(path) || settings.calls.includes(`*.${callee.name}`)
    // What is read of the process itself comes from its command line.
    return isSetting && !/^[A-Z]\w*$/.test(this.#path(callee.object)) ? { kind: 'settings', name: key } : undefined
  }

  /** A name by the imports, as far as it is one of names alone. */
  #path(expression: Expression): string {
    if (expression.kind === 'name') return this.#module.imports.get(expression.name) ?? expression.name
    if (expression.kind !== 'member') return ''
    const owner = this.#path(expression.object)
    const path = owner === '' ? '' : `${owner}.${expression.name}`
    return /^(?:[a-z]\w*\.){2,}[A-Z]\w*\.\w+$/.test(path) ? path.split('.').slice(-2).join('.') : path
  }
}

/** What is looked at first of `a || b`; of anything else the expression itself. */
function readFirst(expression: Expression): Expression {
  if (expression.kind === 'binary' && expression.operator === 'either') return expression.left
  return expression.kind === 'conditional' && expression.test === expression.yes ? expression.test : expression
}

function readKey(args: readonly Argument[]): string | undefined {
  const [first] = args
  if (!first || first.spread || first.name !== undefined || first.value.kind !== 'literal') return undefined
  const { value } = first.value
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Fields that a framework fills by an annotation: `@Value("${crypto.algorithm}") private String algorithm;`. */
function mapFilled(text: string, annotations: readonly string[]): ReadonlyMap<string, string> {
  if (annotations.length === 0) return new Map()
  const form = new RegExp(
    `@(?:${annotations.join('|')})\\((?:(?:name|value) ?= ?)?"(?:\\$\\{)?([\\w.-]{1,200})(?::[^"}]{0,200})?\\}?"[^)\\n]{0,100}\\)[\\w \\t\\r\\n]{1,120}?(\\w+)[ \\t]*;`,
    'g',
  )
  return new Map([...text.matchAll(form)].map(([, key = '', name = '']) => [name, key]))
}
