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
  #functions: ReadonlySet<string> | undefined
  #values: ReadonlySet<string> | undefined
  #fields: ReadonlySet<string> | undefined
  #changed: ReadonlySet<string> | undefined
  #classes: ReadonlyMap<string, string[]> | undefined

  constructor(root: Syntax, text: string) {
    this.#root = root
    this.#text = text
  }

  /** Whether a name is that of a method, or of a value that is a function. */
  isFunction(name: string): boolean {
    this.#functions ??= new Set([
      ...Array.from(this.#text.matchAll(/\bdef\s+(\w+)/g), ([, each]) => each!),
      ...Array.from(this.#text.matchAll(FUNCTION_VALUE), ([, each]) => each!),
    ])
    return this.#functions.has(name)
  }

  /** Whether a name is that of a method. */
  isMethod(name: string): boolean {
    return /^[a-z]\w*$/.test(name) && new RegExp(`\\bdef\\s+${name}\\b`).test(this.#text)
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

  /** Whether a variable of the name is assigned another value. */
  isVariable(name: string): boolean {
    this.#changed ??= new Set(Array.from(this.#text.matchAll(/\bvar\s+(\w+)/g), ([, each]) => each!))
    return this.#changed.has(name)
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
}
