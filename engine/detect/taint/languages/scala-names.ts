import type { Syntax } from './syntax.ts'

/** Functions that are values, by the type that they are declared with or by what they are. */
const FUNCTION_VALUE =
  /\b(?:va[lr]\s+)?(\w+)\s*(?::\s*(?:\([^()\n]*\)|[\w.[\]]+)\s*=>\s*\w|=\s*(?:\([\w\s:,.[\]]*\)|\w+)\s*=>|=\s*\{\s*(?:\([\w\s:,.[\]]*\)|\w+)\s*=>)/g
const VALUE = /\b(?:va[lr]\s+(\w+)|(\w+)\s*:\s*[A-Z]|(\w+)\s*<-|(\w+)\s*=>|va[lr]\s*\(([\w\s,]+)\))/g

/**
 * What the names of a file are, by how they are declared anywhere in it. Scala writes a call without arguments as a member is written, and a
 * look-up in a collection as a call.
 */
export class ScalaNames {
  readonly #root: Syntax
  readonly #text: string
  #methods: ReadonlySet<string> | undefined
  #functions: ReadonlySet<string> | undefined
  #expressions: ReadonlySet<string> | undefined
  #builders: ReadonlySet<string> | undefined
  #declared: ReadonlySet<string> | undefined
  #taken: ReadonlyMap<string, string> | undefined
  #values: ReadonlySet<string> | undefined
  #fields: ReadonlySet<string> | undefined
  #changed: ReadonlySet<string> | undefined
  #types: ReadonlyMap<string, string | undefined> | undefined
  #classes: ReadonlyMap<string, string[]> | undefined

  constructor(root: Syntax, text: string) {
    this.#root = root
    this.#text = text
  }

  /** Whether a name is that of a method, or of a value that is a function. */
  isFunction(name: string): boolean {
    this.#functions ??= this.#find(FUNCTION_VALUE)
    return this.isMethod(name) || this.#functions.has(name)
  }

  /** Whether a name is that of a method. */
  isMethod(name: string): boolean {
    this.#methods ??= this.#find(/\bdef\s+(\w+)/g)
    return this.#methods.has(name)
  }

  /** Whether a name is that of a regular expression, which may take a text apart. */
  isExpression(name: string): boolean {
    this.#expressions ??= this.#find(/\bval\s+(\w+)\b[^\n]*\.r\b/g)
    return this.#expressions.has(name)
  }

  /** The type of what an object takes out of a value, where it is told so (`object Page extends Parameter[Int]`). */
  findTaken(name: string): string | undefined {
    this.#taken ??= new Map(
      Array.from(this.#text.matchAll(/\bobject\s+(\w+)\s+extends\s+[\w.]+\[(\w+)\]/g), ([, each, type]) => [
        each!,
        type!,
      ]),
    )
    return this.#taken.get(name)
  }

  /** Whether a name is that of a value, in which something is looked up where it is called. */
  isValue(name: string): boolean {
    this.#values ??= new Set(
      Array.from(this.#text.matchAll(VALUE), ([, ...names]) =>
        names.flatMap(each => each?.split(',').map(part => part.trim()) ?? []),
      ).flat(),
    )
    return this.#values.has(name) && !this.isFunction(name)
  }

  /** Whether something else than the parameter of a lambda without a type has the name. */
  isDeclared(name: string): boolean {
    this.#declared ??= this.#find(/(?:\bva[lr]\s+(\w+)|\b(\w+)\s*:(?!:)|\b(\w+)\s*<-)/g)
    return this.#declared.has(name)
  }

  /** Whether a variable of the name is assigned another value. */
  isVariable(name: string): boolean {
    this.#changed ??= this.#find(/\bvar\s+(\w+)/g)
    return this.#changed.has(name)
  }

  /** Whether a name is that of a text under construction. */
  isBuilder(name: string): boolean {
    this.#builders ??= this.#find(/\bval\s+(\w+)[^=\n]*=\s*(?:new\s+)?(?:\w+\.)*String(?:Builder|Buffer)\b/g)
    return this.#builders.has(name)
  }

  /** Whether a class of the file keeps something under the name. */
  isField(name: string): boolean {
    this.#fields ??= new Set([
      ...[...this.classes.values()].flat(),
      ...this.#root
        .findAll('val_definition', 'var_definition')
        .filter(({ parent }) => /body$/.test(parent?.kind ?? ''))
        .map(node => node.at('pattern').text),
      // What is assigned is kept.
      ...Array.from(this.#text.matchAll(/\.(\w+)\s*=(?![=>])/g), ([, each]) => each!),
    ])
    return this.#fields.has(name)
  }

  /** The classes of the file, each with the names of what it is made of. */
  get classes(): ReadonlyMap<string, string[]> {
    this.#classes ??= new Map(
      this.#root.findAll('class_definition', 'enum_definition', 'full_enum_case').map(node => [
        node.at('name').text,
        node
          .fields('class_parameters')
          .flatMap(({ parts }) => parts)
          .filter(({ kind }) => kind === 'class_parameter')
          .map(each => each.at('name').text),
      ]),
    )
    return this.#classes
  }

  /** The type of the fields of the name, where the classes of the file agree on it. */
  findFieldType(name: string): string | undefined {
    if (!this.#types) {
      const types = new Map<string, string | undefined>()
      for (const node of this.#root.findAll('class_parameter')) {
        const field = node.at('name').text
        const type = node.field('type')?.text
        types.set(field, types.has(field) && types.get(field) !== type ? undefined : type)
      }
      this.#types = types
    }
    return this.#types.get(name)
  }

  #find(expression: RegExp): ReadonlySet<string> {
    return new Set(Array.from(this.#text.matchAll(expression), ([, ...names]) => names.find(Boolean)!))
  }
}
