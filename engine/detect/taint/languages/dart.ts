import { parse, type SgNode } from '@ast-grep/napi'
import type {
  BinaryOperator,
  ClassForm,
  Decorator,
  Expression,
  FunctionForm,
  ModuleForm,
  Span,
  Statement,
} from '../ir.ts'
import { listGroups, lowerRun } from './dart-chains.ts'
import { lowerArms, makeMatched } from './dart-choices.ts'
import { lowerClass } from './dart-classes.ts'
import { EXPRESSIONS } from './dart-expressions.ts'
import { type OlderText, writeOlder } from './dart-newer-syntax.ts'
import { lowerParameters, readAnnotation } from './dart-parameters.ts'
import { type Pattern, readPattern } from './dart-patterns.ts'
import { STATEMENTS } from './dart-statements.ts'
import { LoweredFile } from './lowered-file.ts'
import { C_OPERATORS } from './operators.ts'
import { makeExpression, makeFunction, makeUnknown, Syntax, type SyntaxTable } from './syntax.ts'
import { type LanguageAdapter, memoize } from './tree.ts'

/** Syntax that the grammar takes for something else and finds nothing wrong with. */
const MISREAD = /\b(?:final|var)\s*\(|\w<[\w<>,. ?]+>\(\s*[^)\s]/

export const adapter: LanguageAdapter = {
  lower(root, text) {
    if (!MISREAD.test(text) && !hasError(root))
      return new DartFile({ text, patterns: new Map(), records: new Set() }).module(new Syntax(root))
    const older = writeOlder(text)
    return new DartFile(older, text).module(new Syntax(parse('dart', older.text).root()))
  },
}

function hasError(root: SgNode): boolean {
  return root.find({ rule: { kind: 'ERROR' } } as never) !== null
}

const OPERATORS: Record<string, BinaryOperator> = { ...C_OPERATORS, '~/': '//' }

const CLASSES = /^(?:class_definition|mixin_declaration|extension_declaration|enum_declaration)$/

/** A file of Dart: what it imports, its classes, mixins and extensions, and its functions. */
export class DartFile extends LoweredFile {
  protected readonly expressions: SyntaxTable<DartFile, Expression> = EXPRESSIONS
  protected readonly statements: SyntaxTable<DartFile, Statement[]> = STATEMENTS
  readonly text: string
  readonly #source: string
  readonly #patterns: OlderText['patterns']
  readonly #records: OlderText['records']
  readonly #forms = new Map<number, FunctionForm>()

  constructor({ text, patterns, records }: OlderText, source = text) {
    super()
    this.text = text
    this.#source = source
    this.#patterns = patterns
    this.#records = records
  }

  module(root: Syntax): ModuleForm {
    const imports = new Map<string, string>()
    const classes: ClassForm[] = []
    const functions: FunctionForm[] = []
    const top: Syntax[] = []
    let decorators: Decorator[] = []
    root.parts.forEach((node, at) => {
      if (node.kind === 'annotation') decorators.push(readAnnotation(node))
      else {
        if (node.kind === 'import_or_export') addImport(node, imports)
        else if (CLASSES.test(node.kind)) classes.push(lowerClass(this, node, decorators))
        else if (node.kind.endsWith('_signature'))
          functions.push(this.declared(node, root.parts[at + 1], { decorators }))
        else if (node.kind.endsWith('_list') || node.kind.endsWith('_declaration')) top.push(node)
        if (node.kind !== 'function_body') decorators = []
      }
    })
    for (const node of root.findAll('function_expression', 'lambda_expression')) functions.push(this.function(node))
    return { imports, classes, functions, body: memoize(() => top.flatMap(node => this.statement(node))) }
  }

  /** A function with its body, which stands behind what declares it. */
  declared(signature: Syntax, body: Syntax | undefined, form: Partial<FunctionForm> = {}): FunctionForm {
    const own = signature.kind === 'method_signature' ? (signature.parts.at(-1) ?? signature) : signature
    const name = own.parts.findLast(({ kind }) => kind === 'identifier')
    const first = own.parts.find(({ kind }) => /type_identifier$/.test(kind))
    const parameters = lowerParameters(this, own.part('formal_parameter_list'))
    const [taken] = parameters
    return makeFunction(signature, {
      end: body?.kind === 'function_body' ? body.end : signature.end,
      name: name?.text ?? '',
      parameters,
      returnType: first && name && first.start < name.start ? this.typeText(first.start, name.start) : undefined,
      isStatic: /^\s*(?:external\s+)?static\b/.test(signature.text),
      body: () => this.bodyOf(body),
      ...form,
      decorators: [...(form.decorators ?? []), ...nameTaken(taken?.type)],
    })
  }

  /** The same form each time, so that it is known to have been carried out. */
  function(node: Syntax): FunctionForm {
    const at = node.kind === 'local_function_declaration' ? (node.parts[0] ?? node) : node
    const known = this.#forms.get(at.start)
    if (known) return known
    const signature = at.part('function_signature')
    const parameters = memoize(() => lowerParameters(this, (signature ?? at).part('formal_parameter_list')))
    const decorators = memoize(() => [...findReceiver(at), ...nameTaken(parameters()[0]?.type)])
    const form: FunctionForm = {
      start: at.start,
      end: at.end,
      name: signature?.parts.findLast(({ kind }) => kind === 'identifier')?.text ?? '',
      get parameters() {
        return parameters()
      },
      get decorators() {
        return decorators()
      },
      isStatic: false,
      isInner: true,
      body: memoize(() => this.bodyOf(at.parts.at(-1))),
    }
    this.#forms.set(at.start, form)
    return form
  }

  /** The statements in braces, or the value behind an arrow. */
  bodyOf(node: Syntax | undefined): Statement[] {
    const block = node?.part('block')
    if (block) return this.block(block)
    if (!node || !/_body$/.test(node.kind) || node.parts.length === 0) return []
    const value = lowerRun(this, node.parts, node)
    return [{ kind: 'return', value, start: value.start, end: value.end }]
  }

  /** Whether a record with names begins here, which was written as a map. */
  isRecord(start: number): boolean {
    return this.#records.has(start)
  }

  /** The pattern that stood where a name stands for it, with the condition beside it. */
  pattern(start: number): (Pattern & { guard?: Expression }) | undefined {
    const place = this.#patterns.get(start)
    return place && this.#readPattern(place)
  }

  #readPattern(place: Span): Pattern & { guard?: Expression } {
    const written = this.#source.slice(place.start, place.end)
    const when = /^([\s\S]*?)\swhen\s([\s\S]*)$/.exec(written)
    const isDeclaration = /\b(?:final|var)\s+$/.test(this.#source.slice(Math.max(0, place.start - 8), place.start))
    const pattern = readPattern(
      when?.[1] ?? written,
      place,
      isDeclaration || (/^\(.*\)$/s.test(written) && this.#isTarget(place)),
    )
    return when ? { ...pattern, guard: this.#parsed(when[2]!, place.end - when[2]!.length) } : pattern
  }

  /** Whether a pattern is assigned to: its names are variables that are there. */
  #isTarget({ end }: Span): boolean {
    return /^\s*=[^=>]/.test(this.#source.slice(end, end + 20))
  }

  /** An expression that the tree of the file does not have. */
  #parsed(text: string, start: number): Expression {
    const before = 'var x='
    const root = new Syntax(parse('dart', `${before}${text};`).root(), start - before.length)
    const [declared] = root.findAll('initialized_identifier')
    const value = declared && listGroups(declared).at(-1)
    return value ? lowerRun(this, value.parts, declared) : makeUnknown({ start, end: start + text.length })
  }

  /** A switch as a value, which was written as a call. */
  arms(list: Syntax | undefined, at: Span): Expression {
    return lowerArms(this, list, at)
  }

  override condition(node: Syntax): Expression {
    const test = this.expression(node)
    for (const [at, place] of this.#patterns)
      if (at > node.start && at < node.end && this.text[at] === ' ')
        return makeMatched(this.#readPattern(place), place, test)
    return test
  }

  /** `target = value`, `target ??= value`, `target += value`. */
  assignment(target: Expression, sign: string, value: Expression, at: Span): Expression {
    if (sign === '??=') {
      const either = makeExpression(at, { kind: 'binary', operator: 'either', left: target, right: value })
      return makeExpression(at, { kind: 'assign', target, value: either })
    }
    const operator = sign === '=' ? undefined : (OPERATORS[sign.slice(0, -1)] ?? 'bits')
    return makeExpression(at, { kind: 'assign', target, value, ...(operator && { operator }) })
  }

  /** What a loop over elements takes one by one; undefined for any other loop. */
  loop(head: Syntax): { target: Expression; source: Expression; type?: string } | undefined {
    const [taken, walked] = listGroups(head)
    if (walked?.sign !== 'in' || !taken) return undefined
    const name = taken.parts.at(-1)!
    const first = taken.parts.find(({ kind }) => kind === 'type_identifier')
    const type = first && this.typeText(first.start, name.start)
    const target = this.pattern(name.start)?.target ?? makeExpression(name, { kind: 'name', name: name.text })
    return { target, source: lowerRun(this, walked.parts, head), ...(type !== undefined && { type }) }
  }

  override block(node: Syntax | undefined): Statement[] {
    return node ? node.parts.flatMap(part => this.statement(part)) : []
  }

  /** The text of a type between two places. */
  typeText(start: number, end: number): string | undefined {
    const type = nameType(this.text.slice(start, end))
    return type === '' ? undefined : type
  }

  override type(node: Syntax | undefined): string | undefined {
    return node && nameType(node.text)
  }
}

/** A type without the name of its library, and as good as one that may be null. */
function nameType(text: string): string {
  return text
    .trim()
    .replace(/\?$/, '')
    .replace(/\b[a-z_]\w*\.(?=[A-Z])/g, '')
    .trim()
}

/** A function by what it takes first, as its decorator: frameworks call their handlers with a request. */
function nameTaken(type: string | undefined): Decorator[] {
  return type === undefined ? [] : [{ name: `takes ${type}`, args: [] }]
}

/** What a function is handed to, as its decorator: `get` of `router.get('/', (request) => …)`. */
function findReceiver(node: Syntax): Decorator[] {
  const argument = node.parent
  if (argument?.kind !== 'argument' && argument?.kind !== 'named_argument') return []
  const part = argument.parent?.parent
  const selector = part?.parent
  const before = selector?.kind === 'cascade_section' ? selector.part('cascade_selector') : selector?.node.prev()
  const name = before && /(\w+)\s*$/.exec(typeof before.text === 'string' ? before.text : before.text())?.[1]
  return name ? [{ name, args: [] }] : []
}

/** `import 'package:http/http.dart' as http`: names of a library stand behind its own, and else alone. */
function addImport(node: Syntax, imports: Map<string, string>): void {
  const found = /^import\s+(?:r?['"])([^'"]+)['"](?:\s+deferred)?(?:\s+as\s+(\w+))?/.exec(node.text)
  if (!found) return
  const [, uri = '', prefix] = found
  const name = uri
    .replace(/^package:/, '')
    .replace(/^dart:/, 'dart.')
    .replace(/\/.*$/, '')
  imports.set(`${uri}.*`, `${name}.*`)
  if (prefix !== undefined && /^(?:package|dart):/.test(uri)) imports.set(prefix, name)
}
