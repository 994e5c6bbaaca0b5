import type { SgNode } from '@ast-grep/napi'
import type { Expression, Span } from '../ir.ts'
import type { RustFile } from './rust.ts'
import { listNamedChildren, makeLiteral } from './tree.ts'

/** Functions that hold what they are given, or own it, in another form: the value is the same. */
const HOLDS =
  /^(?:(?:\w+::)*(?:Box|Arc|Rc|Cell|RefCell|Mutex|RwLock|Cow|String|OsString|PathBuf|Path|OsStr|Pin|Some|Vec)::(?:new|from|pin|owned)|(?:\w+::)*Cow::(?:Borrowed|Owned)|(?:\w+::)*(?:Some|Ok|Cow))$/

/** Methods without arguments that give their object in another form: owned, borrowed, locked, or out of what it may be missing from. */
const SAME =
  /^(?:unwrap|unwrap_or_default|clone|cloned|copied|to_owned|to_string|into_string|into_boxed_str|as_str|as_ref|as_mut|as_deref|as_deref_mut|into|borrow|borrow_mut|as_bytes|into_bytes|to_vec|as_slice|as_path|as_os_str|to_path_buf|into_os_string|to_str|to_string_lossy|into_owned|iter|iter_mut|into_iter|collect|ok|lock|into_inner|get_ref|get_mut|deref|by_ref|as_mut_slice|leak|peekable|fuse|flatten|flatten_ok|boxed)$/

/** … and those whose argument is about what happens otherwise. */
const SAME_BUT = /^(?:expect|map_err|ok_or|ok_or_else|inspect|inspect_err|expect_err)$/

export function lowerCall(file: RustFile, node: SgNode, span: Span): Expression {
  const callee = node.field('function') as SgNode
  const given = listNamedChildren(node.field('arguments') as SgNode).filter(each => each.kind() !== 'attribute_item')
  const isGeneric = callee.kind() === 'generic_function'
  const called = isGeneric ? (callee.field('function') as SgNode) : callee
  const method = called.kind() === 'field_expression' ? file.of(called.field('field') as SgNode) : undefined
  if (method !== undefined) {
    const known = lowerMethod(file, called, method, isGeneric ? callee : undefined, given, span)
    if (known) return known
  } else {
    const name = file.of(called).replace(/::<[\s\S]*?>(?=::|$)|\s/g, '')
    if (given.length === 1 && HOLDS.test(name)) return file.expression(given[0]!)
    // An error tells of what went wrong: it is made, and what it is made of is not followed further.
    if (name === 'Err')
      return { kind: 'block', body: given.flatMap(each => [asStatement(file.expression(each))]), ...span }
  }
  const args = given.map(each => ({ value: file.expression(each) }))
  return { kind: 'call', callee: file.expression(called), args, ...span }
}

function asStatement(value: Expression): { kind: 'expression'; value: Expression } & Span {
  return { kind: 'expression', value, start: value.start, end: value.end }
}

/** What a method of the language is worth; undefined for any other. */
function lowerMethod(
  file: RustFile,
  callee: SgNode,
  method: string,
  generic: SgNode | undefined,
  given: readonly SgNode[],
  span: Span,
): Expression | undefined {
  const object = () => file.expression(callee.field('value') as SgNode)
  const [first, ...more] = given
  if (!first) {
    if (SAME.test(method)) return object()
    if (method !== 'parse') return undefined
    const [type] = generic ? listNamedChildren(generic.field('type_arguments') as SgNode) : []
    return type && file.of(type) !== '_' ? { kind: 'cast', type: file.type(type), value: object(), ...span } : undefined
  }
  if (more.length > 0) return undefined
  if (SAME_BUT.test(method)) {
    const value = object()
    if (first.kind() !== 'closure_expression') return value
    // What is done about an error is carried out with nothing of the value.
    const done: Expression = { kind: 'call', callee: file.expression(first), args: [], ...span }
    return { kind: 'block', body: [asStatement(done)], value, ...span }
  }
  if (method === 'unwrap_or' || method === 'or')
    return { kind: 'binary', operator: 'either', left: object(), right: file.expression(first), ...span }
  if (method === 'unwrap_or_else' || method === 'or_else') {
    const other: Expression =
      first.kind() === 'closure_expression'
        ? { kind: 'call', callee: file.expression(first), args: [], ...span }
        : makeLiteral(span, null)
    return { kind: 'binary', operator: 'either', left: object(), right: other, ...span }
  }
  return undefined
}
