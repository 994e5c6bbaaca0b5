import type { Expression, Statement } from '../ir.ts'
import type { RustFile } from './rust.ts'
import { makeExpression, makeLiteralAt, makeStatement, type Syntax } from './syntax.ts'

/** Functions that hold what they are given, or own it, in another form: the value is the same. */
const HOLDS =
  /^(?:(?:\w+::)*(?:Box|Arc|Rc|Cell|RefCell|Mutex|RwLock|Cow|String|OsString|PathBuf|Path|OsStr|Pin|Some|Vec)::(?:new|from|pin|owned)|(?:\w+::)*Cow::(?:Borrowed|Owned)|(?:\w+::)*(?:Some|Ok|Cow))$/

/** Methods without arguments that give their object in another form: owned, borrowed, locked, or out of what it may be missing from. */
const SAME =
  /^(?:unwrap|unwrap_or_default|clone|cloned|copied|to_owned|to_string|into_string|into_boxed_str|as_str|as_ref|as_mut|as_deref|as_deref_mut|into|borrow|borrow_mut|as_bytes|into_bytes|to_vec|as_slice|as_path|as_os_str|to_path_buf|into_os_string|to_str|to_string_lossy|into_owned|iter|iter_mut|into_iter|collect|ok|lock|into_inner|get_ref|get_mut|deref|by_ref|as_mut_slice|leak|peekable|fuse|flatten|flatten_ok|boxed)$/

/** … and those whose argument is about what happens otherwise. */
const SAME_BUT = /^(?:expect|map_err|ok_or|ok_or_else|inspect|inspect_err|expect_err)$/

export function lowerCall(file: RustFile, node: Syntax): Expression {
  const callee = node.at('function')
  const given = node.at('arguments').parts.filter(({ kind }) => kind !== 'attribute_item')
  const generic = callee.kind === 'generic_function' ? callee : undefined
  const called = generic ? generic.at('function') : callee
  if (called.kind === 'field_expression') {
    const known = lowerMethod(file, node, called, generic, given)
    if (known) return known
  } else {
    const name = called.text.replace(/::<[\s\S]*?>(?=::|$)|\s/g, '')
    if (given.length === 1 && HOLDS.test(name)) return file.expression(given[0]!)
    // An error tells of what went wrong: it is made, and what it is made of is not followed further.
    if (name === 'Err')
      return makeExpression(node, { kind: 'block', body: given.map(each => makeDone(file.expression(each))) })
  }
  const args = given.map(each => ({ value: file.expression(each) }))
  return makeExpression(node, { kind: 'call', callee: file.expression(called), args })
}

function makeDone(value: Expression): Statement {
  return makeStatement(value, { kind: 'expression', value })
}

/** What a method of the language is worth; undefined for any other. */
function lowerMethod(
  file: RustFile,
  node: Syntax,
  callee: Syntax,
  generic: Syntax | undefined,
  [first, ...more]: readonly Syntax[],
): Expression | undefined {
  const method = callee.at('field').text
  const object = () => file.expression(callee.at('value'))
  // What is done where there is no value is carried out with nothing of it.
  const carryOut = (closure: Syntax) =>
    makeExpression(node, { kind: 'call', callee: file.expression(closure), args: [] })
  const either = (right: Expression) =>
    makeExpression(node, { kind: 'binary', operator: 'either', left: object(), right })
  if (!first) {
    if (SAME.test(method)) return object()
    const [type] = method === 'parse' && generic ? generic.at('type_arguments').parts : []
    return type && type.text !== '_'
      ? makeExpression(node, { kind: 'cast', type: file.type(type) ?? '', value: object() })
      : undefined
  }
  if (more.length > 0) return undefined
  const isClosure = first.kind === 'closure_expression'
  if (SAME_BUT.test(method)) {
    const value = object()
    return isClosure ? makeExpression(node, { kind: 'block', body: [makeDone(carryOut(first))], value }) : value
  }
  if (method === 'unwrap_or' || method === 'or') return either(file.expression(first))
  if (method === 'unwrap_or_else' || method === 'or_else')
    return either(isClosure ? carryOut(first) : makeLiteralAt(node, null))
  return undefined
}
