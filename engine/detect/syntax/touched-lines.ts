import type { SgNode } from '@ast-grep/napi'
import type { Span } from '../rules/match.ts'
import { parseSyntax } from './parsed.ts'

/** First and last line, from 1. */
export type Lines = readonly [first: number, last: number]

/** What holds statements, members or elements, one after the other. */
const CONTAINER =
  /^(?:program|module|source|source_file|compilation_unit|translation_unit|document|fragment|stylesheet|config_file|block|\w+_block|statements|statement_list|compound_statement|\w*body|body_statement|\w*declaration_list|do|then|else|element|jsx_element|jsx_fragment|script_element|style_element|switch_block|switch_block_statement_group|switch_body|token_tree)$/
const BEFORE_DECLARATION = /decorator|annotation|attribute_item|attribute_list$|^attribute$|^modifiers$/
const COMMENT = /comment/

/** Languages of which a key holds all that is indented below it. */
const BY_LINES = new Set(['yaml'])

/** A longer text is not parsed for the sake of its comments. */
const LONGEST_TEXT = 1 << 20

/** Nodes of a statement that are looked at to find what it holds. */
const MOST_NODES = 5_000

/**
 * The lines of the statement, declaration or element that a comment touches: the one below it, past other comments, decorators and
 * annotations, or the one that ends before it on its line. What stands in the body of a function, a class or a block is not among them.
 */
export function findTouchedLines(root: SgNode, text: string, comment: Span): Lines[] {
  const lineStart = text.lastIndexOf('\n', comment.start - 1) + 1
  const before = text.slice(lineStart, comment.start)
  if (/^[\s{]*$/.test(before)) return findBelow(root, text, comment.end, before.includes('{'))
  // What follows it on its line.
  if (/^[^\n\S]*[^\s})]/.test(text.slice(comment.end, comment.end + 200)))
    return findBelow(root, text, comment.end, false)
  const end = lineStart + before.replace(/[\s,;]+$/, '').length
  return end <= lineStart ? [] : listOwnLines(root, findEnding(root, text, end))
}

/** Finds what comments of a text touch; the tree is made when the first comment asks, where there is none yet. */
export function makeTouched(
  language: string,
  text: string,
  root: SgNode | undefined,
): ((comment: Span) => Lines[]) | undefined {
  if (BY_LINES.has(language)) return undefined
  let made: SgNode | null | undefined = root
  return comment => {
    if (made === undefined) {
      const parsed = text.length <= LONGEST_TEXT ? parseSyntax(language, text) : undefined
      made = parsed && 'root' in parsed ? parsed.root : null
    }
    return made ? findTouchedLines(made, text, comment) : []
  }
}

/** The largest part of a statement that ends there. */
function findEnding(root: SgNode, text: string, end: number): SgNode {
  let node = findLeaf(root, end - 1)
  for (let around = node.parent(); around && !isContainer(around); around = node.parent()) {
    const rest = text.slice(node.range().end.index, around.range().end.index)
    if (!/^[\s,;]*$/.test(rest)) break
    node = around
  }
  return node
}

/** What follows a comment without an empty line between. */
function findBelow(root: SgNode, text: string, from: number, isBraced: boolean): Lines[] {
  const out: Lines[] = []
  let at = isBraced ? from + /^[\s]*\}?/.exec(text.slice(from, from + 200))![0].length : from
  for (let count = 0; count < 50; count++) {
    const space = /^\s*/.exec(text.slice(at, at + 2000))![0]
    if (space.split('\n').length > 2) break
    at += space.length
    if (at >= text.length) break
    const node = findStarting(root, at)
    const kind = String(node.kind())
    if (COMMENT.test(kind)) {
      at = Math.max(at + 1, node.range().end.index)
      continue
    }
    out.push(...listOwnLines(root, node))
    if (!BEFORE_DECLARATION.test(kind)) break
    at = Math.max(at + 1, node.range().end.index)
  }
  return out
}

/** The largest part of a statement that starts there. */
function findStarting(root: SgNode, at: number): SgNode {
  let node = findLeaf(root, at)
  for (let around = node.parent(); around?.parent() && !isContainer(around); around = node.parent()) {
    if (around.range().start.index !== node.range().start.index) break
    node = around
  }
  return node
}

/** The children of nodes that were asked for, and the lines of statements, by the tree: a file may have thousands of comments. */
const known = new WeakMap<SgNode, { children: Map<number, SgNode[]>; lines: Map<number, Lines[]> }>()

function getKnown(root: SgNode) {
  let own = known.get(root)
  if (!own) {
    own = { children: new Map(), lines: new Map() }
    known.set(root, own)
  }
  return own
}

function findLeaf(root: SgNode, at: number): SgNode {
  const { children } = getKnown(root)
  let node = root
  for (;;) {
    let parts = children.get(node.id())
    if (!parts) {
      parts = node.children()
      children.set(node.id(), parts)
    }
    let low = 0
    let high = parts.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (parts[middle]!.range().end.index <= at) low = middle + 1
      else high = middle
    }
    const inner = parts[low]
    if (!inner || inner.range().start.index > at) return node
    node = inner
  }
}

function isContainer(node: SgNode): boolean {
  return CONTAINER.test(String(node.kind()))
}

function listOwnLines(root: SgNode, node: SgNode): Lines[] {
  const { lines } = getKnown(root)
  const own = lines.get(node.id()) ?? computeOwnLines(node)
  lines.set(node.id(), own)
  return own
}

/** The lines of a node without those in bodies that it holds. */
function computeOwnLines(node: SgNode): Lines[] {
  const { start, end } = node.range()
  const first = start.line + 1
  const last = end.column === 0 && end.line > start.line ? end.line : end.line + 1
  if (first === last) return [[first, last]]
  const hidden: Lines[] = []
  let left = MOST_NODES
  const visit = (each: SgNode): void => {
    for (const child of each.children()) {
      if (--left < 0) return
      if (!child.isNamed()) continue
      if (!isContainer(child)) {
        visit(child)
        continue
      }
      const range = child.range()
      const hasSigns = /^[{(]|^(?:do|begin|then)\b/.test(child.text())
      hidden.push(hasSigns ? [range.start.line + 2, range.end.line] : [range.start.line + 1, range.end.line + 1])
    }
  }
  visit(node)
  return left < 0
    ? [[first, first]]
    : subtract(
        [first, last],
        hidden.filter(([from, to]) => from <= to && from > first),
      )
}

function subtract([first, last]: Lines, hidden: readonly Lines[]): Lines[] {
  const out: Lines[] = []
  let from = first
  for (const [start, end] of [...hidden].sort(([a], [b]) => a - b)) {
    if (start > from) out.push([from, start - 1])
    from = Math.max(from, end + 1)
  }
  if (from <= last) out.push([from, last])
  return out
}
