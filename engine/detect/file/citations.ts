import type { SgNode } from '@ast-grep/napi'
import { type Branch, getBranch } from '../simple-types/branch.ts'
import { COMMENT_KINDS } from '../syntax/tree-context.ts'

/** A standard by its number: RFC, FIPS, ISO/IEC, a special publication of NIST, a protocol of Microsoft, a draft of the IETF, an algorithm of a document. */
const STANDARD =
  /\bRFC[ -]?\d{3,5}\b|\bFIPS[ -]?(?:PUB[ -]?)?\d{2,3}\b|\bISO(?:\/IEC)?[ -]\d{4,5}\b|\bSP[ -]?800-\d{2,3}[A-Z]?\b|\[MS-[A-Z]{3,8}\]|\bdraft-ietf-|\balgorithm \d\.\d/i

const FUNCTION = /function|method|constructor|lambda|closure|arrow/
/** What holds functions, and says at its head what all of them do. */
const CONTAINER = /class|interface|object|struct|impl|module|namespace|trait/
/** So much of a container is its head. */
const LONGEST_HEAD = 600
/** So many comments before a function, and statements at the head of a file, are read. */
const MOST_BEFORE = 30

/**
 * Whether the code at an offset says that it implements a standard: its function does, comments before that or before the class around it, or
 * the comments at the head of the file. What stands elsewhere in the file says nothing of it.
 */
export function citesStandard(root: SgNode, offset: number): boolean {
  const whole = getBranch(root)
  if (headOf(root).some(text => STANDARD.test(text))) return true
  for (let at: Branch | undefined = whole.findAt(offset); at; at = at.findAt(offset)) {
    const { node } = at
    const kind = String(node.kind())
    if (!FUNCTION.test(kind) && !CONTAINER.test(kind)) continue
    const own = node.text()
    if (STANDARD.test(FUNCTION.test(kind) ? own : own.slice(0, LONGEST_HEAD))) return true
    if (commentsBefore(node).some(text => STANDARD.test(text))) return true
  }
  return false
}

/** Comments at the beginning of a file, and what stands there as a text, up to the first function or class. */
function headOf(root: SgNode): string[] {
  const out: string[] = []
  for (const node of root.children().slice(0, MOST_BEFORE)) {
    const kind = String(node.kind())
    if (FUNCTION.test(kind) || CONTAINER.test(kind)) break
    if (isComment(node) || kind === 'expression_statement') out.push(node.text())
  }
  return out
}

/** The comments right before a node, those before a decorator, an export or a declaration around it among them. */
function commentsBefore(node: SgNode): string[] {
  const out: string[] = []
  for (let at: SgNode | null = node; at; at = at.parent()) {
    let before = at.prev()
    for (let count = 0; before && isComment(before) && count < MOST_BEFORE; count++) {
      out.push(before.text())
      before = before.prev()
    }
    // A wrapper begins where what it wraps does, or with a decorator or a word of its own on the line above.
    const parent = at.parent()
    if (!parent || !/export|decorated|declaration|statement|template/.test(String(parent.kind()))) break
  }
  return out
}

function isComment(node: SgNode): boolean {
  return COMMENT_KINDS.includes(String(node.kind()))
}
