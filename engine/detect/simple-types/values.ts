import type { SgNode } from '@ast-grep/napi'
import { type Binding, findBindings, keepReaching } from './bindings.ts'
import { type Declared, findDeclared } from './file-types.ts'
import { getPart, holds, isFunction, kindOf, listParts, readName } from './nodes.ts'
import type { SimpleTypes } from './simple-types.ts'
import { judgeType, type Verdict, worst } from './types.ts'

/** Nodes that are looked at for one finding. */
const MOST_NODES = 20_000
const DEEPEST = 24

const LITERAL =
  /^(?:\w+_(?:integer|floating_point|number|int|float)_literal|(?:integer|float|number|character|boolean)(?:_literal)?|(?:real|int|long|imaginary|rune|char|hex|bin|unsigned|bool|null)_literal|true|false|null|nil|none|undefined|unit|simple_symbol|regex|range_expression|range|typeof_expression)$/
const STRING =
  /^(?:string|.*string(?:_literal)?|.*string_expression|template_string|heredoc|heredoc_body|encapsed_string|text_block|interpolated_string|concatenated_string|string_literal|chained_string|array_of_strings)$/
const CONTENT =
  /content|fragment|escape|_start$|_end$|_text$|str_text|brace$|^interpolation_quote|heredoc_(?:start|end)|quote/
const WRAPPER =
  /^(?:parenthesized_expression|parenthesized_statements|parenthesized|non_null_expression|await_expression|await|reference_expression|try_expression|argument|value_argument|expression_statement|template_substitution|interpolation|interpolated_expression|interpolated_identifier|pointer_expression|directly_assignable_expression|postfix_expression|postfix_unary_expression|control_structure_body|statements|block|else_clause|else|then|spread_element|satisfies_expression|checked_expression|unsafe_block|expression|body_statement|block_body|literal_element|annotated_lambda|reference_assignment)$/
const BINARY =
  /^(?:binary_expression|binary_operator|binary|infix_expression|additive_expression|multiplicative_expression|elvis_expression|nil_coalescing_expression|boolean_operator|conjunction_expression|disjunction_expression|bitwise_operation|coalesce)$/
const COMPARISON =
  /^(?:comparison_(?:operator|expression)|equality_expression|instanceof_expression|is_pattern_expression|not_operator|in_expression|check_expression|type_test|is_expression|as_pattern)$/
const CHOICE =
  /^(?:ternary_expression|conditional_expression|conditional|if_expression|if|switch_expression|when_expression|match_expression|if_statement)$/
const CAST = /^(?:cast_expression|as_expression|type_assertion|type_cast_expression|type_conversion_expression)$/
const CALL =
  /^(?:method_invocation|call_expression|call|invocation_expression|function_call_expression|member_call_expression|nullsafe_member_call_expression|scoped_call_expression|new_expression|object_creation_expression|instance_expression|macro_invocation|constructor_expression|explicit_constructor_invocation|implicit_object_creation_expression)$/
const MEMBER =
  /^(?:field_access|member_access_expression|nullsafe_member_access_expression|attribute|member_expression|selector_expression|class_constant_access_expression|scoped_property_access_expression|navigation_expression|field_expression|scoped_identifier|scope_resolution|conditional_access_expression|stable_identifier|select_expression)$/
const NAME =
  /^(?:identifier|simple_identifier|variable_name|name|constant|instance_variable|class_variable|interpolated_identifier|field_identifier|property_identifier|type_identifier|shorthand_property_identifier)$/
const LIST =
  /^(?:array|list|set|tuple|array_creation_expression|array_expression|array_literal|collection_literal|list_literal|array_initializer|slice_literal)$/
const COMPREHENSION = /^(?:generator_expression|list_comprehension|set_comprehension)$/
const SELF = /^(?:this|self|\$this|@?self|cls|Self|static)$/
const CONSTANT_NAME = /^_?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/

/** Says of expressions of one file whether their values are simple. */
export class Values {
  readonly #language: SimpleTypes
  readonly #declared: Declared
  readonly #isSharing: boolean
  readonly #limit = { left: MOST_NODES }
  /** Names that are being found out: one that stands on itself adds nothing. */
  readonly #open = new Set<string>()

  constructor(name: string, language: SimpleTypes, root: SgNode) {
    this.#language = language
    this.#declared = findDeclared(root, language)
    this.#isSharing = name === 'ruby'
  }

  /** What the expression can be. */
  judge(node: SgNode, depth = 0): Verdict {
    if (depth > DEEPEST || --this.#limit.left < 0) return 'unknown'
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
    if (CALL.test(kind)) return this.#judgeCall(node, kind, depth)
    if (MEMBER.test(kind)) return this.#judgeMember(node, depth)
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
        return this.#language.calculates || !/^[-+~]/.test(node.text()) ? 'simple' : next(listParts(node).at(-1))
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
    return this.#bindingsOf(name).flatMap(({ value }) => value ?? [])
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
    const verdict = type ? this.#judgeType(type.text()) : 'unknown'
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
    if (/^(?:&&|\|\||and|or|xor)$/.test(operator) && this.#language.calculates && !this.#choosesByOr()) return 'simple'
    // In front of `%` a string is a format.
    if (operator === '%' && STRING.test(kindOf(left)))
      return this.#judgeFormat(left, LIST.test(kindOf(right)) ? listParts(right) : [right], depth)
    if (this.#language.calculates && /^(?:[-*/%&|^]|\*\*|<<|>>|>>>|&\^)$/.test(operator)) return 'simple'
    if (/^(?:<<)$/.test(operator) && this.#isSharing) return 'unknown'
    return worst([this.judge(left, depth + 1), this.judge(right, depth + 1)])
  }

  /** In JavaScript `a || b` is one of the two. */
  #choosesByOr(): boolean {
    return this.#language.types.includes('bigint')
  }

  /** A format and its arguments: of directives that only take numbers the argument does not count. */
  #judgeFormat(format: SgNode, given: readonly SgNode[], depth: number): Verdict {
    const verdict = this.judge(format, depth + 1)
    if (verdict !== 'simple') return verdict
    const directives = [
      ...format.text().matchAll(/%(?:%|\(?[\w$]*\)?[-+# 0]*[\d*]*(?:\.\d+)?(?:ll?|h|z)?([a-zA-Z]))/g),
    ].flatMap(([, each]) => each ?? [])
    const isPlain = directives.length === given.length && /%/.test(format.text())
    return worst(
      given.map((each, index) =>
        isPlain && /[bcdeEfFgGiotuxX]/.test(directives[index]!) ? 'simple' : this.judge(each, depth + 1),
      ),
    )
  }

  #judgeMember(node: SgNode, depth: number): Verdict {
    const parts = listParts(node)
    const object = getPart(node, 'object', 'expression', 'operand', 'value', 'scope', 'path') ?? parts[0]
    const last = getPart(node, 'field', 'property', 'name') ?? parts.at(-1)
    if (!object || !last) return 'unknown'
    const name = readName(last).split('.').at(-1)!
    const owner = readName(object)
    if (this.#language.members.includes(name)) return 'simple'
    const full = `${owner}.${name}`
    if (new RegExp(this.#language.results).test(full)) return 'simple'
    if (this.#declared.enumerations.has(owner.split('.').at(-1)!)) return 'simple'
    if (SELF.test(owner)) return this.#judgeField(node, name, depth)
    if (CONSTANT_NAME.test(name) && name.length > 1) return 'simple'
    const field = this.#judgeFieldOf(object, name)
    if (field !== undefined) return field
    return this.judge(object, depth + 1) === 'simple' ? 'simple' : 'unknown'
  }

  /** A field of the object that the code belongs to. */
  #judgeField(node: SgNode, name: string, depth: number): Verdict {
    for (let around = node.parent(); around; around = around.parent())
      if (
        /class|struct|interface|object|trait|enum|record|impl|module|extension/.test(kindOf(around)) &&
        !/object_pattern|object_creation|_body$/.test(kindOf(around))
      ) {
        const type =
          kindOf(around) === 'impl_item' ? this.#declared.types.get(getPart(around, 'type')?.text() ?? '') : around
        if (!type) return 'unknown'
        const names = [name, `$${name}`, `self.${name}`, `this.${name}`, `$this->${name}`, `@${name}`]
        const bindings = names
          .flatMap(each => findBindings(type, each, this.#limit))
          .filter(each => isOfType(each.node, type))
        const own = bindings.filter(
          each => !each.isParameter || /class_parameter|promotion|parameter/.test(kindOf(each.node)),
        )
        return own.length === 0 ? 'unknown' : this.#judgeBindings(own, `${name} of self`, depth)
      }
    return 'unknown'
  }

  /** A field of a variable whose type the file declares. */
  #judgeFieldOf(object: SgNode, name: string): Verdict | undefined {
    const written = NAME.test(kindOf(object))
      ? this.#bindingsOf(object).find(({ type }) => type !== undefined)?.type
      : undefined
    const type =
      written === undefined ? undefined : this.#declared.types.get(written.replace(/^[:&*?\s]+|mut\s+|[?!\s]+$/g, ''))
    if (!type) return undefined
    const found = ['', '$']
      .flatMap(sign => findBindings(type, sign + name, this.#limit))
      .find(each => each.type !== undefined)
    const verdict = found && this.#judgeType(found.type!)
    return verdict
  }

  #judgeName(node: SgNode, depth: number): Verdict {
    const name = node.text()
    if (SELF.test(name)) return 'unknown'
    const key = `${name}@${scopeOf(node)?.id() ?? 0}`
    if (this.#open.has(key)) return 'simple'
    const bindings = this.#bindingsOf(node)
    if (bindings.length > 0) {
      this.#open.add(key)
      const verdict = this.#judgeBindings(bindings, key, depth)
      this.#open.delete(key)
      return verdict
    }
    if (/^@/.test(name)) return this.#judgeField(node, name.slice(1), depth)
    if (this.#declared.enumerations.has(name)) return 'simple'
    if (CONSTANT_NAME.test(name) && name.length > 1) return 'simple'
    // A method without arguments, written like a variable.
    if (new RegExp(this.#language.results).test(name)) return 'simple'
    return 'unknown'
  }

  #judgeBindings(bindings: readonly Binding[], _key: string, depth: number): Verdict {
    return worst(
      bindings.map(({ type, value, isElement, node, isParameter }) => {
        const declared = type === undefined ? 'unknown' : this.#judgeType(type)
        if (declared !== 'unknown')
          return declared === 'text' && value && !isElement && !isParameter ? this.#better(value, depth) : declared
        if (value && (!isParameter || isElement)) return this.judge(value, depth + 1)
        return isParameter && type === undefined ? this.#judgeHanded(node, depth) : 'unknown'
      }),
    )
  }

  /** A text that is written out, or made of what is simple. */
  #better(value: SgNode, depth: number): Verdict {
    return this.judge(value, depth + 1) === 'simple' ? 'simple' : 'text'
  }

  /** What a function that is handed to a method of a simple value is given: `3.times { |i| … }`, `ids.forEach(id => …)`. */
  #judgeHanded(parameter: SgNode, depth: number): Verdict {
    let inner = parameter
    for (let around = parameter.parent(); around; around = around.parent()) {
      const kind = kindOf(around)
      if (CALL.test(kind) && !holds(getPart(around, 'function', 'receiver', 'object') ?? parameter, inner)) {
        const name =
          getPart(around, 'method', 'name')?.text() ??
          readName(getPart(around, 'function') ?? listParts(around)[0]!)
            .split('.')
            .at(-1)!
        const object = this.#receiverOf(around)
        if (/^(?:each_with_index|eachWithIndex|each_with_object)$/.test(name) && isSecond(parameter)) return 'simple'
        if (/^(?:forEachIndexed|mapIndexed)$/.test(name) && !isSecond(parameter)) return 'simple'
        if (/^(?:times|upto|downto|step)$/.test(name)) return 'simple'
        return object ? this.judge(object, depth + 1) : 'unknown'
      }
      if (/^(?:method|function|class)/.test(kind) && !/lambda|arrow|literal|function_expression/.test(kind))
        return 'unknown'
      inner = around
    }
    return 'unknown'
  }

  #receiverOf(call: SgNode): SgNode | undefined {
    const own = getPart(call, 'receiver', 'object', 'scope')
    if (own) return own
    const callee = getPart(call, 'function') ?? listParts(call)[0]
    if (!callee) return undefined
    const inner = kindOf(callee) === 'generic_function' ? (getPart(callee, 'function') ?? callee) : callee
    return MEMBER.test(kindOf(inner))
      ? (getPart(inner, 'object', 'expression', 'operand', 'value', 'path') ?? listParts(inner)[0])
      : undefined
  }

  #judgeCall(node: SgNode, kind: string, depth: number): Verdict {
    const { name, isNew, typeArguments } = readCallee(node, kind)
    const language = this.#language
    const given = readArguments(node)
    const values = () => worst(given.map(each => this.judge(each, depth + 1)))
    if (kind === 'macro_invocation') return this.#judgeMacro(node, name, depth)
    if (language.formats !== undefined && new RegExp(language.formats).test(name))
      return this.#judgeFormatCall(node, name, given, depth)
    if (language.conversions !== undefined && new RegExp(language.conversions).test(name))
      return given.length === 0 ? 'unknown' : values()
    const full = isNew ? `new ${name}` : name
    const last = name.split(/[.\\]/).at(-1)!
    if (new RegExp(language.results).test(full) || new RegExp(language.results).test(name)) return 'simple'
    if (language.types.includes(last) && /^[A-Z]|^u?int|^float|^bool/.test(last)) return 'simple'
    if (language.members.includes(last) && given.length === 0) return 'simple'
    if (
      typeArguments !== undefined &&
      this.#judgeType(typeArguments) === 'simple' &&
      /parse|valueOf|convert|cast|get|from|as/i.test(last)
    )
      return 'simple'
    const owner = name.includes('.') ? name.split('.').at(-2)! : last
    if (this.#declared.enumerations.has(owner)) return 'simple'
    const object = this.#receiverOf(node)
    if (!object || SELF.test(readName(object))) {
      const result = this.#declared.results.get(last)
      if (result !== undefined && !isNew) return this.#judgeType(result)
      return 'unknown'
    }
    if (/^(?:each|map|forEach|times)$/.test(last) && given.length === 0) return this.judge(object, depth + 1)
    return worst([this.judge(object, depth + 1), values()])
  }

  #judgeFormatCall(node: SgNode, name: string, given: readonly SgNode[], depth: number): Verdict {
    const object = this.#receiverOf(node)
    if (/\.format(?:ted)?$/.test(name) && object && !/^(?:String|MessageFormat|fmt)$/.test(object.text()))
      return this.#judgeFormat(object, given, depth)
    const [first, ...rest] = given
    if (!first) return 'unknown'
    return STRING.test(kindOf(first))
      ? this.#judgeFormat(first, rest, depth)
      : worst(given.map(each => this.judge(each, depth + 1)))
  }

  /** `format!("… {id} {}", x)`: a macro is given its arguments as they are written. */
  #judgeMacro(node: SgNode, name: string, depth: number): Verdict {
    if (!/(?:^|\.)(?:format|concat|write)$/.test(name)) return 'unknown'
    const tokens = listParts(node).find(part => kindOf(part) === 'token_tree')
    const parts = tokens ? listParts(tokens) : []
    const format = parts.find(part => STRING.test(kindOf(part)))
    if (!tokens || !format) return 'unknown'
    const inline = [...format.text().matchAll(/(?<!\{)\{([a-z_]\w*)(?::[^{}]*)?\}/g)].map(([, each]) => each!)
    const written = tokens.text().slice(format.range().end.index - startIndex(tokens), -1)
    const given = splitArguments(written)
      .map(each => each.replace(/^\w+\s*=\s*/, '').trim())
      .filter(each => each !== '')
    const assigned = new Set(splitArguments(written).flatMap(each => /^\s*(\w+)\s*=(?!=)/.exec(each)?.[1] ?? []))
    return worst(
      [...inline.filter(each => !assigned.has(each)), ...given].map(each => this.#judgeWritten(each, node, depth)),
    )
  }

  /** An expression of which only the text is known: a name, a field or a method of one. */
  #judgeWritten(written: string, near: SgNode, depth: number): Verdict {
    const text = written.replace(/^[&*\s]+/, '')
    const cast = /\bas\s+(\w+)$/.exec(text)
    if (cast) return this.#judgeType(cast[1]!)
    if (/^-?\d[\w.]*$|^(?:true|false)$/.test(text)) return 'simple'
    const call = /^([\w.:]+)\(.*\)$/s.exec(text)
    const name = (call?.[1] ?? text).replace(/::/g, '.')
    if (call && new RegExp(this.#language.results).test(name)) return 'simple'
    const [head, ...rest] = name.split('.')
    if (head === undefined || !/^[A-Za-z_]\w*$/.test(head)) return 'unknown'
    if (rest.length === 0 && CONSTANT_NAME.test(head) && head.length > 1) return 'simple'
    if (head === 'self') return rest.length === 1 && !call ? this.#judgeField(near, rest[0]!, depth) : 'unknown'
    const bindings = bindingsFor(near, head, this.#limit)
    if (rest.length === 1 && !call) {
      const type = bindings.find(each => each.type !== undefined)?.type
      const declared = type === undefined ? undefined : this.#declared.types.get(type.replace(/^&\s*(?:mut\s+)?/, ''))
      const field = declared && findBindings(declared, rest[0]!, this.#limit).find(each => each.type !== undefined)
      return field ? this.#judgeType(field.type!) : 'unknown'
    }
    return bindings.length === 0 ? 'unknown' : this.#judgeBindings(bindings, head, depth)
  }

  #judgeType(written: string): Verdict {
    return judgeType(written, this.#language, this.#declared)
  }

  /** The bindings of a name that can reach its use, of the nearest scope that has any. */
  #bindingsOf(node: SgNode): Binding[] {
    return bindingsFor(node, node.text(), this.#limit)
  }
}

function bindingsFor(node: SgNode, name: string, limit: { left: number }): Binding[] {
  for (let scope = scopeOf(node); scope; scope = scopeOf(scope)) {
    const found = findBindings(scope, name, limit).filter(each => isSeen(each, node, scope!))
    if (found.length > 0) return keepReaching(found, node)
  }
  return []
}

/** The next function, type or file around a node. */
function scopeOf(node: SgNode): SgNode | undefined {
  for (let around = node.parent(); around; around = around.parent()) {
    const kind = kindOf(around)
    if (
      isFunction(around) ||
      COMPREHENSION.test(kind) ||
      /^(?:class|struct|object|record|enum|trait|interface|impl|module)(?:_|$)/.test(kind) ||
      !around.parent()
    ) {
      if (/_(?:type|body|pattern)$/.test(kind) && around.parent()) continue
      return around
    }
  }
  return undefined
}

/** Whether a binding in a scope is one of the name where it is used: what another function or type within declares is not. */
function isSeen({ node, isParameter, value }: Binding, use: SgNode, scope: SgNode): boolean {
  for (let around = node.parent(); around && around.id() !== scope.id(); around = around.parent()) {
    const kind = kindOf(around)
    const isInner = isFunction(around) || COMPREHENSION.test(kind)
    if (isInner && !holds(around, use)) return false
    if (isInner && isParameter) return holds(around, use)
  }
  return !(value && holds(value, use) && /declar|spec|definition|let_/.test(kindOf(node)))
}

/** Whether the declaration is the type's own, and not one of a method's variables. */
function isOfType(node: SgNode, type: SgNode): boolean {
  if (/[.>@]/.test(getPart(node, 'left')?.text() ?? '')) return true
  for (let around = node.parent(); around && around.id() !== type.id(); around = around.parent()) {
    if (
      /^(?:constructor|method|init)/.test(kindOf(around)) &&
      /promotion|class_parameter|required_parameter/.test(kindOf(node))
    )
      return /private|public|protected|readonly/.test(node.text())
    if (isFunction(around)) return false
  }
  return true
}

function isSecond(parameter: SgNode): boolean {
  const parent = parameter.parent()
  return parent
    ? listParts(parent).findIndex(part => part.id() === parameter.id() || holds(part, parameter)) === 1
    : false
}

function readCallee(node: SgNode, kind: string): { name: string; isNew: boolean; typeArguments?: string } {
  const isNew = /^(?:new_|object_creation|instance_expression)/.test(kind)
  const method = getPart(node, 'name', 'method')
  const object = getPart(node, 'object', 'receiver', 'scope')
  const callee =
    getPart(node, 'function', 'macro', 'constructor') ??
    (isNew ? getPart(node, 'type') : undefined) ??
    listParts(node)[0]
  const written =
    method && (object || !getPart(node, 'function'))
      ? object
        ? `${object.text()}.${method.text()}`
        : method.text()
      : (callee?.text() ?? '')
  const generic = /<([^<>]+(?:<[^<>]*>)?)>\s*$/.exec(written)
  const name = written
    .replace(/^new\s+/, '')
    .replace(/::<.*>$|<[^<>()]*(?:<[^<>]*>)?[^<>()]*>/g, '')
    .replace(/\?->|->|::|\?\.|!!?\./g, '.')
    .replace(/\s+/g, '')
    .replace(/\(\.\.\.\)/, '')
  return { name, isNew, ...(generic && { typeArguments: generic[1]! }) }
}

function readArguments(node: SgNode): SgNode[] {
  const list =
    getPart(node, 'arguments') ??
    listParts(node).find(part => /^(?:call_suffix|arguments|argument_list)$/.test(kindOf(part)))
  if (!list) return []
  const parts = listParts(list).flatMap(part => (kindOf(part) === 'value_arguments' ? listParts(part) : part))
  return parts.map(part => getPart(part, 'value') ?? part)
}

function startIndex(node: SgNode): number {
  return node.range().start.index
}

/** Arguments as they are written, without the comma before the first. */
function splitArguments(written: string): string[] {
  const out: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < written.length; at++) {
    const each = written[at]!
    if ('([{'.includes(each)) depth++
    else if (')]}'.includes(each)) depth--
    else if (each === ',' && depth === 0) {
      out.push(written.slice(from, at))
      from = at + 1
    }
  }
  out.push(written.slice(from))
  return out.filter(each => each.trim() !== '')
}
