/**
 * The form in which the taint analysis sees every language. An adapter (`languages/<language>.ts`) lowers a syntax tree to
 * it; the interpreter knows nothing else of a language. What a form has no kind for is `unknown` with its parts, so that
 * nothing is lost silently: the parts are evaluated, and what they carry is carried on.
 */

/** Where something stands: offsets in the decoded text, the end exclusive. */
export interface Span {
  start: number
  end: number
}

/** A value that is known before the program runs. */
export type Constant = string | number | boolean | null

/**
 * Operators, the same in all languages: adapters write `and` for `&&`, `==` for `===` and `is`, `concat` for an operator
 * that always makes text (PHP's `.`), `either` for `??`, `||` with a value, `?:` and Python's `or`.
 */
export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '//'
  | '%'
  | '**'
  | 'bits'
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'and'
  | 'or'
  | 'either'
  | 'in'
  | 'not in'
  | 'instance'
  | 'concat'

export interface Argument {
  value: Expression
  /** Of a keyword argument. */
  name?: string
  /** The value's elements are the arguments (`*list`, `...list`). */
  spread?: boolean
}

export type Expression = Span & ExpressionForm

/** An expression without its place. */
export type ExpressionForm =
  | { kind: 'literal'; value: Constant }
  | { kind: 'name'; name: string }
  /** The object that a method was called on: `this`, `self` where it is a keyword, `$this`. */
  | { kind: 'this' }
  | { kind: 'member'; object: Expression; name: string }
  /** `index` is left out for a slice and for what cannot be told. */
  | { kind: 'index'; object: Expression; index?: Expression }
  /** A call; `callee` is a name, a member or any other expression. */
  | { kind: 'call'; callee: Expression; args: Argument[] }
  /** An object is made; `type` as written, resolved by the imports in the interpreter. */
  | { kind: 'new'; type: string; args: Argument[]; body?: ClassForm }
  | { kind: 'binary'; operator: BinaryOperator; left: Expression; right: Expression }
  | { kind: 'unary'; operator: 'not' | '-' | '+' | '~'; value: Expression }
  /** Text put together from parts: templates, f-strings, adjacent literals. */
  | { kind: 'text'; parts: Expression[] }
  | { kind: 'conditional'; test: Expression; yes: Expression; no: Expression }
  /** A list, tuple, set or array; as the target of an assignment it takes a value apart. */
  | { kind: 'list'; items: Argument[] }
  /** A map, or an object written out; `key` is left out for `**other` and `...other`. */
  | { kind: 'map'; entries: { key?: Expression; value: Expression }[] }
  | { kind: 'function'; function: FunctionForm }
  /** `operator` for `+=` and its like; `declares` where the names are new variables (a pattern of Rust). */
  | { kind: 'assign'; target: Expression; operator?: BinaryOperator; value: Expression; type?: string; declares?: true }
  | { kind: 'cast'; type: string; value: Expression }
  /** What the loops of a comprehension collect; `key` for a map. */
  | { kind: 'comprehension'; loops: Each[]; key?: Expression; value: Expression }
  /** Statements with the value of the last expression: switch and if as values, blocks of Kotlin and Ruby. */
  | { kind: 'block'; body: Statement[]; value?: Expression }
  | { kind: 'switch'; switch: Switch }
  /** One of the values that a generator gives. */
  | { kind: 'yield'; value: Expression }
  | { kind: 'unknown'; parts: Expression[] }

/** A loop over elements with the conditions under which one counts. */
export interface Each {
  target: Expression
  source: Expression
  tests: Expression[]
}

/** As a value, a case is worth what it `yields`. */
export interface Switch {
  subject?: Expression
  cases: { tests: Expression[]; isDefault: boolean; body: Statement[]; yields?: Expression }[]
  /** Without `break` the next case follows (C, Java's colon form, JavaScript, PHP). */
  fallsThrough: boolean
}

export type Statement = Span & StatementForm

/** A statement without its place. */
export type StatementForm =
  | { kind: 'expression'; value: Expression }
  /** A variable; without a value it is unknown. */
  | { kind: 'declare'; name: string; type?: string; value?: Expression }
  | { kind: 'if'; test: Expression; yes: Statement[]; no: Statement[] }
  /** `atLeastOnce` for do … while. */
  | {
      kind: 'while'
      init: Statement[]
      test?: Expression
      step: Statement[]
      body: Statement[]
      atLeastOnce: boolean
    }
  | { kind: 'each'; target: Expression; type?: string; source: Expression; body: Statement[] }
  | { kind: 'switch'; switch: Switch }
  | {
      kind: 'try'
      body: Statement[]
      handlers: { name?: string; type?: string; body: Statement[] }[]
      finally: Statement[]
    }
  | { kind: 'return'; value?: Expression }
  | { kind: 'throw'; value?: Expression }
  | { kind: 'break'; label?: string }
  | { kind: 'continue'; label?: string }
  | { kind: 'block'; body: Statement[]; label?: string }
  /** A function within a function, under its name. */
  | { kind: 'function'; function: FunctionForm }
  | { kind: 'delete'; target: Expression }

/** An annotation, attribute or decorator; the name as written and dotted, without `@`. */
export interface Decorator {
  name: string
  args: Argument[]
}

export interface Parameter extends Span {
  name: string
  /** The name that it is passed by, where that is another than its own; empty for one that is passed by its place (Swift). */
  label?: string
  type?: string
  decorators: Decorator[]
  default?: Expression
  /** Takes all further arguments (`*args`, `...rest`). */
  rest?: boolean
  /** Where the parameter is taken apart at once (`({ query }) => …`). */
  pattern?: Expression
}

export interface FunctionForm extends Span {
  /** Empty for a lambda. */
  name: string
  /** Simple name of the class that it belongs to. */
  owner?: string
  /** Name of the property that it is the value of: other files call it by that. */
  property?: string
  parameters: Parameter[]
  decorators: Decorator[]
  isStatic: boolean
  /** Written as a value, or within another function: carried out on its own only if nothing else carried it out. */
  isInner?: true
  returnType?: string
  /** Lowered when first asked for. */
  body(): Statement[]
}

export interface Field extends Span {
  name: string
  type?: string
  /** Known to keep its first value. */
  isFixed: boolean
  value?(): Expression | undefined
}

export interface ClassForm extends Span {
  name: string
  /** Superclass and interfaces as written. */
  bases: string[]
  decorators: Decorator[]
  fields: Field[]
  /** With constructors, under the name `constructor`. */
  methods: FunctionForm[]
}

/** A file. */
export interface ModuleForm {
  /** Local name to full dotted name. */
  imports: ReadonlyMap<string, string>
  /** Those of them that the file does not import: what a fragment names so is most often that. Left out where there is none. */
  presumed?: ReadonlySet<string>
  classes: ClassForm[]
  /** Functions outside classes. */
  functions: FunctionForm[]
  /** What runs outside functions; empty for a language that has no such thing. */
  body(): Statement[]
}
