import type { SgNode } from '@ast-grep/napi'
import {
  ASSIGNMENT,
  DECLARING,
  findPlaces,
  isWithin,
  LAMBDA,
  LOOP,
  type Looking,
  listBinders,
  OPTIONAL,
  PARAMETER,
} from './binders.ts'
import { getPart, holds, kindOf, listParts, startOf } from './nodes.ts'

/** What gives a name its value. */
export interface Binding {
  /** Where it is written. */
  node: SgNode
  /** The declared type. */
  type?: string
  /** The value, where it is written. */
  value?: SgNode
  /** The value is each element of what is written. */
  isElement?: true
  /** It adds to what was there. */
  adds?: true
  /** A parameter of a function, of which nothing is known but its type. */
  isParameter?: true
}

const AUGMENTED = /augmented|compound|operator_assignment/
const NAME = /identifier(?!_)|^variable_name$|^name$|^constant$|^instance_variable$|^class_variable$/
const BY_CONDITION =
  /^(?:if|else|elif|elsif|unless|while|until|do|for|foreach|switch|case|when|match|try|catch|rescue|except|ensure|finally|conditional|ternary|guard|loop|enhanced_for|for_in|and|or|binary)(?:_|$)/

/** What binds a name in a part of the tree, in the order in which it is written. Names in functions within are others, if the function declares them. */
export function findBindings(scope: SgNode, name: string, { limit, declared }: Looking): Binding[] {
  const { left } = limit
  if (left <= 0) return []
  const id = scope.id()
  let all = declared.scopes.get(id)
  if (!all || (!all.isWhole && all.visited < left)) {
    all = listBinders(scope, left)
    declared.scopes.set(id, all)
  }
  limit.left = all.isWhole ? left - all.visited : -1
  const places = findPlaces(all, name)
  const out: Binding[] = []
  for (const { node, order, start, end } of all.binders) {
    // As many are looked at as there are steps left.
    if (order >= left) break
    if (!isWithin(places, start, end - name.length)) continue
    const found = readBinding(node, name)
    if (found) out.push(found)
  }
  return out
}

/** The bindings that can say what a use of the name holds: the last one that comes before it on each path, and all after that. */
export function keepReaching(bindings: readonly Binding[], use: SgNode): Binding[] {
  const at = startOf(use)
  let from = -1
  for (const { node, adds, value } of bindings) {
    if (adds || (value && holds(value, use)) || startOf(node) >= at) continue
    if (comesBefore(node, use)) from = startOf(node)
  }
  return bindings.filter(({ node }) => startOf(node) >= from)
}

/** Whether each way to the use leads by the node: nothing that stands around it and not around the use depends on a condition. */
function comesBefore(node: SgNode, use: SgNode): boolean {
  if (PARAMETER.test(kindOf(node))) return true
  for (let around = node.parent(); around; around = around.parent()) {
    if (BY_CONDITION.test(kindOf(around))) {
      const condition = getPart(around, 'condition', 'initializer')
      const own = getPart(around, 'body', 'consequence')
      const isInHead = condition !== undefined && holds(condition, node)
      if (!isInHead && !(own && holds(own, node) && holds(own, use))) return false
    }
    if (holds(around, use)) return true
  }
  return false
}

function readBinding(node: SgNode, name: string): Binding | undefined {
  const kind = kindOf(node)
  if (LOOP.test(kind)) return readLoop(node, kind, name)
  if (LAMBDA.test(kind)) {
    const bare = getPart(node, 'parameter', 'parameters')
    return bare && NAME.test(kindOf(bare)) && bare.text() === name ? { node: bare, isParameter: true } : undefined
  }
  if (DECLARING.test(kind)) {
    const type = getPart(node, 'type', 'right')?.text()
    const value = getPart(node, 'value')
    if (getPart(node, 'name')?.text() !== name) return undefined
    if (type === undefined || type === 'var') return value ? { node, value } : outBinding(node)
    return { node, type, ...(value && { value }) }
  }
  if (PARAMETER.test(kind)) return readParameter(node, name)
  if (OPTIONAL.test(kind)) return readOptional(node, name)
  return ASSIGNMENT.test(kind) ? readAssignment(node, kind, name) : undefined
}

/** `int.TryParse(raw, out var id)`: what is written out is of the type that parses. */
function outBinding(node: SgNode): Binding {
  const call = node.parent()?.parent()?.parent()
  const callee = call ? getPart(call, 'function')?.text() : undefined
  const found = callee === undefined ? null : /^([\w.]+)\.Try\w+(?:<([\w.]+)>)?$/.exec(callee)
  return found ? { node, type: found[2] ?? found[1]! } : { node }
}

/** `if let k = Int(raw)`: what is there is what is written. */
function readOptional(node: SgNode, name: string): Binding | undefined {
  const parts = node.children().filter(child => child.isNamed())
  const at = parts.findIndex(
    (part, index) => /value_binding_pattern/.test(kindOf(part)) && parts[index + 1]?.text() === name,
  )
  if (at === -1) return undefined
  const value = parts[at + 2]
  return { node: parts[at + 1]!, ...(value && !/statements|block/.test(kindOf(value)) ? { value } : {}) }
}

function readLoop(node: SgNode, kind: string, name: string): Binding | undefined {
  const parts = listParts(node)
  const body = getPart(node, 'body')
  const left =
    getPart(node, 'left', 'pattern', 'name') ??
    parts.find(part =>
      /^(?:pattern|variable_declaration|multi_variable_declaration|pair|variable_name)$|identifier$/.test(kindOf(part)),
    )
  const isForeach = kind === 'foreach_statement' && getPart(node, 'left') === undefined
  const target = isForeach ? parts[1] : left
  const source = isForeach ? parts[0] : (getPart(node, 'right', 'value') ?? parts[parts.indexOf(left!) + 1])
  if (!target || !source || target.id() === body?.id() || source.id() === body?.id()) return undefined
  if (
    kind === 'for_statement' &&
    /declaration|clause|assignment/.test(kindOf(target)) &&
    !/^variable_declaration$/.test(kindOf(target))
  )
    return undefined
  const type = getPart(node, 'type')?.text()
  const names = namesIn(target)
  const index = names.indexOf(name)
  if (index === -1) return undefined
  if (type !== undefined && !/^(?:var|val|let|const|auto)$/.test(type)) return { node: target, type }
  const own = kindOf(target) === 'variable_declaration' ? listParts(target)[1]?.text() : undefined
  if (own !== undefined) return { node: target, type: own }
  // Where an index or a key comes first, it is a number or what the elements go by.
  if (names.length > 1 && index === 0 && kind === 'range_clause') return { node: target, type: 'int' }
  return { node: target, value: source, isElement: true }
}

function readParameter(node: SgNode, name: string): Binding | undefined {
  const kind = kindOf(node)
  const isList = /parameters$/.test(kind)
  const typed = getPart(node, 'type')
  if (isList) {
    const found = listParts(node).find(part => NAME.test(kindOf(part)) && part.text() === name)
    return found ? { node: found, isParameter: true } : undefined
  }
  const target =
    getPart(node, 'name', 'pattern') ??
    listParts(node).find(part => NAME.test(kindOf(part)) || /pattern$|variable_declarator/.test(kindOf(part)))
  if (!target) return undefined
  const parts = listParts(node)
  const hasMany = kind === 'parameter_declaration'
  const names = hasMany ? parts.filter(part => kindOf(part) === 'identifier').map(part => part.text()) : [target.text()]
  if (/object_pattern/.test(kindOf(target))) return readFields(node, target, typed, name)
  if (!names.includes(name) && !namesIn(target).includes(name)) return undefined
  const type =
    typed?.text() ??
    parts
      .find(
        part =>
          /^(?:user_type|nullable_type|integral_type|floating_point_type|boolean_type|type_identifier|generic_type|array_type|predefined_type|type)$/.test(
            kindOf(part),
          ) && part.id() !== target.id(),
      )
      ?.text()
  const value = getPart(node, 'value')
  return { node, isParameter: true, ...(type !== undefined && { type }), ...(value && type === undefined && { value }) }
}

/** `({ id }: { id: number })` */
function readFields(node: SgNode, pattern: SgNode, type: SgNode | undefined, name: string): Binding | undefined {
  for (const part of listParts(pattern)) {
    const target = getPart(part, 'value') ?? part
    const key = getPart(part, 'key') ?? part
    if (target.text() !== name) continue
    const literal = type && listParts(type).find(each => kindOf(each) === 'object_type')
    const member = literal && listParts(literal).find(each => getPart(each, 'name')?.text() === key.text())
    const own = member && getPart(member, 'type')?.text()
    return { node, isParameter: true, ...(own !== undefined && { type: own }) }
  }
  return undefined
}

function readAssignment(node: SgNode, kind: string, name: string): Binding | undefined {
  const parts = listParts(node)
  const declared = /^(?:property_declaration)$/.test(kind)
    ? parts.find(part => kindOf(part) === 'variable_declaration')
    : undefined
  const left =
    declared ??
    getPart(node, 'left', 'name', 'pattern') ??
    parts.find(part => NAME.test(kindOf(part)) || /directly_assignable/.test(kindOf(part)))
  if (!left) return undefined
  const names = /property_element|const_spec|var_spec|field_declaration/.test(kind)
    ? parts.filter(part => NAME.test(kindOf(part))).map(part => part.text())
    : namesIn(left)
  const index = names.indexOf(name)
  if (index === -1) return undefined
  const type =
    (getPart(node, 'type') ?? (declared ? listParts(declared)[1] : undefined) ?? typeAbove(node, kind))?.text() ??
    parts
      .find(part => /^(?:type_annotation|user_type|nullable_type)$/.test(kindOf(part)))
      ?.text()
      .replace(/^:\s*/, '')
  const right =
    getPart(node, 'right', 'value') ??
    (/variable_declarator|const_element|property_element|property_declaration|assignment/.test(kind) &&
    parts.at(-1)?.id() !== left.id()
      ? parts.at(-1)
      : undefined)
  const isKnown = type !== undefined && !/^(?:var|val|let|auto|dynamic|def)$/.test(type)
  const value =
    right && !/^(?:type_annotation|user_type|nullable_type|type|accessor_list)$/.test(kindOf(right))
      ? pickValue(right, names, index)
      : undefined
  const operator = getPart(node, 'operator')?.text()
  const adds =
    AUGMENTED.test(kind) || (operator !== undefined && /^.+=$/.test(operator) && !/^(?::=|==)$/.test(operator))
  return {
    node,
    ...(isKnown && { type }),
    ...(value && { value }),
    ...(adds && { adds: true as const }),
    ...(/class_parameter|promotion|keyword_parameter|default_parameter/.test(kind) && { isParameter: true as const }),
  }
}

/** The type that stands before a list of names. */
function typeAbove(node: SgNode, kind: string): SgNode | undefined {
  if (!/^(?:variable_declarator|property_element)$/.test(kind)) return undefined
  const above = node.parent()
  return above ? getPart(above, 'type') : undefined
}

/** What one of several names takes; a call that gives several gives the first of them what it is known for. */
function pickValue(right: SgNode, names: readonly string[], index: number): SgNode | undefined {
  if (
    kindOf(right) === 'expression_list' ||
    (names.length > 1 &&
      /^(?:tuple|array|list|right_assignment_list|expression_list|tuple_expression)/.test(kindOf(right)))
  ) {
    const parts = listParts(right)
    if (parts.length === 1) return index === 0 ? parts[0] : undefined
    return parts[index]
  }
  return names.length === 1 ? right : undefined
}

/** The names that a pattern binds. */
function namesIn(pattern: SgNode): string[] {
  const kind = kindOf(pattern)
  if (kind === 'shorthand_property_identifier_pattern' || (NAME.test(kind) && !/pattern/.test(kind)))
    return [pattern.text()]
  if (kind === 'pair_pattern') return listParts(pattern).slice(1).flatMap(namesIn)
  if (
    /^(?:attribute|member_expression|field_access|member_access_expression|selector_expression|navigation_expression|field_expression)$/.test(
      kind,
    )
  )
    return [pattern.text()]
  const parts = listParts(pattern)
  if (kind === 'variable_declaration') return parts.slice(0, 1).flatMap(namesIn)
  return parts.flatMap(namesIn)
}
