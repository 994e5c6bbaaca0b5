import type { SgNode } from '@ast-grep/napi'
import type { Binding } from './bindings.ts'
import { judgeCall, judgeHanded } from './calls.ts'
import type { Evaluation } from './evaluation.ts'
import { type Declared, findDeclared } from './file-types.ts'
import { judgeFormat } from './formats.ts'
import {
  BINARY,
  CALL,
  CAST,
  CHOICE,
  COMPARISON,
  COMPREHENSION,
  CONSTANT_NAME,
  CONTENT,
  LIST,
  LITERAL,
  MEMBER,
  NAME,
  SELF,
  STRING,
  WRAPPER,
} from './kinds.ts'
import { judgeField, judgeMember } from './members.ts'
import { getPart, kindOf, listParts } from './nodes.ts'
import { findScope, findVisibleBindings } from './scopes.ts'
import type { SimpleTypes } from './simple-types.ts'
import { judgeType, type Verdict, worst } from './types.ts'

/** Nodes that are visited for one finding. */
const MOST_NODES = 20_000
const DEEPEST = 24

/** Says of expressions of one file whether their values are simple. */
export class Values implements Evaluation {
  readonly language: SimpleTypes
  readonly declared: Declared
  readonly #isSharing: boolean
  readonly limit = { left: MOST_NODES }
  /** Names that are being found out: one that stands on itself adds nothing. */
  readonly #open = new Set<string>()

  constructor(name: string, language: SimpleTypes, root: SgNode) {
    this.language = language
    this.declared = findDeclared(root, name, language)
    this.#isSharing = name === 'ruby'
  }

  /** What the expression can be. */
  judge(node: SgNode, depth = 0): Verdict {
    if (depth > DEEPEST || --this.limit.left < 0) return 'unknown'
    const kind = kindOf(node)
    const next = (part: SgNode | undefined): Verdict => (part ? this.judge(part, depth + 1) : 'unknown')
    const all = (parts: readonly SgNode[]): Verdict => worst(parts.map(next))
    if (LITERAL.test(kind)) return 'simple'
    if (STRING.test(kind) && kind !== 'interpolated_identifier') return worst(this.#interpolations(node).map(next))
    if (kind === 'interpolation' || kind === 'format_expression') {
      const [value, format] = listParts(node).filter(part => !CONTENT.test(kindOf(part)))
      // A format that only numbers have.
      if (format && /^format_specifier$/.test(kindOf(format)) && /[bcdeEfFgGnoxX%]$/.test(format.text()))
        return 'simple'
      return next(value)
    }
    if (COMPARISON.test(kind)) return 'simple'
    if (CALL.test(kind)) return judgeCall(this, node, kind, depth)
    if (MEMBER.test(kind)) return judgeMember(this, node, depth)
    if (NAME.test(kind)) return this.#judgeName(node, depth)
    if (BINARY.test(kind)) return this.#judgeBinary(node, depth)
    if (CHOICE.test(kind)) return all(this.#branches(node, kind))
    if (CAST.test(kind)) return this.#judgeCast(node, depth)
    if (
      /^(?:unary_expression|unary_operator|unary|unary_op_expression|prefix_expression|prefix_unary_expression|update_expression|negated_expression)/.test(
        kind,
      )
    ) {
      if (/^(?:not\b|typeof|[-+~!]|\+\+|--)/.test(node.text()))
        return this.language.calculates || !/^[-+~]/.test(node.text()) ? 'simple' : next(listParts(node).at(-1))
      return next(listParts(node).at(-1))
    }
    if (LIST.test(kind))
      return all(listParts(node).filter(part => !/^(?:type|.*_type|identifier_type)$/.test(kindOf(part))))
    if (/^(?:array_element_initializer|value_arguments|literal_value)$/.test(kind)) return all(listParts(node))
    if (COMPREHENSION.test(kind)) return next(getPart(node, 'body') ?? listParts(node)[0])
    if (/^(?:lambda|arrow_function|lambda_expression|lambda_literal|lambda_function|closure_expression)$/.test(kind))
      return next(getPart(node, 'body') ?? listParts(node).at(-1))
    if (
      /^(?:subscript|subscript_expression|element_access_expression|index_expression|array_access|element_reference|indexing_expression)$/.test(
        kind,
      )
    )
      return next(getPart(node, 'object', 'array', 'value', 'operand', 'expression', 'argument') ?? listParts(node)[0])
    if (WRAPPER.test(kind) || /_wrapper$/.test(kind)) {
      const parts = listParts(node).filter(part => !/bang|^type|label$|name_colon/.test(kindOf(part)))
      return parts.length === 0 ? 'unknown' : next(parts.at(-1))
    }
    return 'unknown'
  }

  /** What a variable is given, where it is written. */
  listValues(name: SgNode): SgNode[] {
    return findVisibleBindings(name, name.text(), this).flatMap(({ value }) => value ?? [])
  }

  /** What stands in a string that is not its own text. */
  #interpolations(node: SgNode): SgNode[] {
    return listParts(node).flatMap(part => {
      const kind = kindOf(part)
      if (CONTENT.test(kind) && !/^interpol\w+(?<!_start|_quote|_brace|_content)$/.test(kind)) return []
      if (kind === 'identifier' && kindOf(node) === 'interpolated_string_expression') return []
      if (/^(?:string|interpolated_string|string_literal|heredoc_body|line_string_literal)$/.test(kind))
        return this.#interpolations(part)
      return [part]
    })
  }

  #branches(node: SgNode, kind: string): SgNode[] {
    const named = ['consequence', 'body', 'alternative'].flatMap(field => getPart(node, field) ?? [])
    if (named.length >= 2) return named
    const parts = listParts(node)
    if (parts.length === 3 && kind === 'conditional_expression') return [parts[0]!, parts[2]!]
    if (/when|switch|match/.test(kind)) return [node]
    return parts.length >= 3 ? parts.slice(1) : [node]
  }

  #judgeCast(node: SgNode, depth: number): Verdict {
    const parts = listParts(node)
    const type = getPart(node, 'type') ?? parts.at(-1)
    const value = getPart(node, 'value') ?? parts.find(part => part.id() !== type?.id())
    if (this.language.castsAreErased) return value ? this.judge(value, depth + 1) : 'unknown'
    const verdict = type ? this.judgeType(type.text()) : 'unknown'
    return verdict === 'simple' || !value ? verdict : this.judge(value, depth + 1)
  }

  #judgeBinary(node: SgNode, depth: number): Verdict {
    const parts = listParts(node).filter(part => !/operator/.test(kindOf(part)) || BINARY.test(kindOf(part)))
    const left = getPart(node, 'left') ?? parts[0]
    const right = getPart(node, 'right') ?? parts.at(-1)
    if (!left || !right) return 'unknown'
    const operator =
      getPart(node, 'operator')?.text() ??
      node
        .text()
        .slice(left.text().length, node.text().length - right.text().length)
        .trim()
    if (/^(?:==|!=|===|!==|<|>|<=|>=|<=>|instanceof|in|is|not in|=~|eq|ne)$/.test(operator)) return 'simple'
    if (/^(?:&&|\|\||and|or|xor)$/.test(operator) && this.language.calculates && !this.#choosesByOr()) return 'simple'
    // In front of `%` a string is a format.
    if (operator === '%' && STRING.test(kindOf(left)))
      return judgeFormat(this, left, LIST.test(kindOf(right)) ? listParts(right) : [right], depth)
    if (this.language.calculates && /^(?:[-*/%&|^]|\*\*|<<|>>|>>>|&\^)$/.test(operator)) return 'simple'
    if (/^(?:<<)$/.test(operator) && this.#isSharing) return 'unknown'
    return worst([this.judge(left, depth + 1), this.judge(right, depth + 1)])
  }

  /** In JavaScript `a || b` is one of the two. */
  #choosesByOr(): boolean {
    return this.language.types.includes('bigint')
  }

  #judgeName(node: SgNode, depth: number): Verdict {
    const name = node.text()
    if (SELF.test(name)) return 'unknown'
    const key = `${name}@${findScope(node)?.id() ?? 0}`
    if (this.#open.has(key)) return 'simple'
    const bindings = findVisibleBindings(node, node.text(), this)
    if (bindings.length > 0) {
      this.#open.add(key)
      const verdict = this.judgeBindings(bindings, depth)
      this.#open.delete(key)
      return verdict
    }
    if (/^@/.test(name)) return judgeField(this, node, name.slice(1), depth)
    if (this.declared.enumerations.has(name)) return 'simple'
    if (CONSTANT_NAME.test(name) && name.length > 1) return 'simple'
    // A method without arguments, written like a variable.
    if (new RegExp(this.language.results).test(name)) return 'simple'
    return 'unknown'
  }

  judgeBindings(bindings: readonly Binding[], depth: number): Verdict {
    return worst(
      bindings.map(({ type, value, isElement, node, isParameter }) => {
        const declared = type === undefined ? 'unknown' : this.judgeType(type)
        if (declared !== 'unknown')
          return declared === 'text' && value && !isElement && !isParameter ? this.#better(value, depth) : declared
        if (value && (!isParameter || isElement)) return this.judge(value, depth + 1)
        return isParameter && type === undefined ? judgeHanded(this, node, depth) : 'unknown'
      }),
    )
  }

  /** A text that is written out, or made of what is simple. */
  #better(value: SgNode, depth: number): Verdict {
    return this.judge(value, depth + 1) === 'simple' ? 'simple' : 'text'
  }

  judgeType(written: string): Verdict {
    return judgeType(written, this.language, this.declared)
  }
}
