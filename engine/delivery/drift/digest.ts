import { createHash, type Hash } from 'node:crypto'
import type { SgNode } from '@ast-grep/napi'
import { lex } from '../../detect/lexer/lexer.ts'
import { registerGrammars } from '../../detect/syntax/grammar.ts'
import { parseSyntax } from '../../detect/syntax/parsed.ts'
import type { CodeSymbol } from '../trace/symbols.ts'

/** What code was, so that a later change can be told from another layout: 16 hexadecimal digits each. */
export interface CodeDigest {
  /** Of names, parameters, types, routes and fields: everything but the bodies of functions. */
  structure: string
  /** Of everything but comments and layout. */
  tree: string
}

/** A function's node, whose body is none of its structure. */
const FUNCTION = /function|method|lambda|closure|constructor_declaration|accessor|\bfunc\b/
const BODY =
  /^(?:body|block|statement_block|compound_statement|function_body|body_statement|do_block|arrow_expression_clause)$/
const DECLARATION =
  /(?:declaration|definition|item|method|function|class|module|spec|constructor|interface|struct|trait|enum|protocol|object)$/
/** What stands around a declaration and belongs to it. */
const AROUND =
  /^(?:decorated_definition|export_statement|lexical_declaration|variable_declaration|type_declaration|ambient_declaration|template_declaration)$/

/** The digests of a file, or of one declaration in it; undefined where it has none of that name. A file without a grammar is digested as text. */
export function digestCode(language: string, text: string, symbol?: CodeSymbol): CodeDigest | undefined {
  const parsed = registerGrammars().has(language) ? parseSyntax(language, text) : undefined
  if (!parsed || !('root' in parsed)) return symbol ? undefined : digestText(language, text)
  const node = symbol ? findDeclaration(parsed.root, text, symbol) : parsed.root
  if (!node) return undefined
  const [structure, tree] = [createHash('sha256'), createHash('sha256')]
  walk(node, structure, tree)
  return { structure: shorten(structure), tree: shorten(tree) }
}

/** The text without comments and with each run of white space as one space. */
function digestText(language: string, text: string): CodeDigest {
  let rest = ''
  let from = 0
  for (const { start, end, context } of lex(language, text).spans()) {
    if (context !== 'comment') continue
    rest += `${text.slice(from, start)} `
    from = end
  }
  const hash = shorten(createHash('sha256').update(`text ${(rest + text.slice(from)).replace(/\s+/g, ' ').trim()}`))
  return { structure: hash, tree: hash }
}

/** Both digests of a part of a tree: kinds of inner nodes and the text of leaves, without comments, commas and semicolons, which layout moves. */
function walk(root: SgNode, structure: Hash, tree: Hash): void {
  const work: { node?: SgNode; close?: string; isBody: boolean }[] = [{ node: root, isBody: false }]
  for (let next = work.pop(); next; next = work.pop()) {
    const { node, isBody } = next
    if (!node) {
      put(next.close!, isBody, structure, tree)
      continue
    }
    const kind = String(node.kind())
    if (kind.includes('comment')) continue
    const children = node.children()
    if (children.length === 0) {
      const leaf = node.text()
      if (leaf === ',' || leaf === ';' || leaf.trim() === '') continue
      const quoted = /^[a-zA-Z]{0,3}['"`]{1,3}$/.test(leaf) ? leaf.replace(/['`]/g, '"') : leaf
      put(`${quoted}\0`, isBody, structure, tree)
      continue
    }
    put(`(${kind}`, isBody, structure, tree)
    work.push({ close: ')', isBody })
    const isFunction = FUNCTION.test(kind)
    for (let index = children.length - 1; index >= 0; index--) {
      const child = children[index]!
      work.push({ node: child, isBody: isBody || (isFunction && isBodyOf(node, child)) })
    }
  }
}

function put(text: string, isBody: boolean, structure: Hash, tree: Hash): void {
  tree.update(text)
  if (!isBody) structure.update(text)
}

function isBodyOf(node: SgNode, child: SgNode): boolean {
  return BODY.test(String(child.kind())) || node.field('body')?.id() === child.id()
}

/** The declaration of a name on a line, with its decorators and what exports it. */
function findDeclaration(root: SgNode, text: string, { name, line }: CodeSymbol): SgNode | undefined {
  const source = text.split('\n', line)[line - 1] ?? ''
  const column = new RegExp(`(?<![\\w$])${name.replace(/\$/g, '\\$')}(?![\\w$])`).exec(source)?.index
  if (column === undefined) return undefined
  let node = findLeaf(root, line - 1, column)
  while (node && !DECLARATION.test(String(node.kind()))) node = node.parent() ?? undefined
  // `const f = () => …`, and whatever exports or decorates a declaration.
  for (let above = node?.parent(); above && AROUND.test(String(above.kind())); above = above.parent()) node = above
  return node
}

/** The innermost node that has the place, lines and columns from 0. */
function findLeaf(root: SgNode, line: number, column: number): SgNode | undefined {
  let node: SgNode = root
  for (;;) {
    const child = node.children().find(each => {
      const { start, end } = each.range()
      const isAfter = start.line < line || (start.line === line && start.column <= column)
      return isAfter && (end.line > line || (end.line === line && end.column > column))
    })
    if (!child) return node === root ? undefined : node
    node = child
  }
}

function shorten(hash: Hash): string {
  return hash.digest('hex').slice(0, 16)
}

/** A short digest of a text. */
export function digestWords(text: string): string {
  return shorten(createHash('sha256').update(text.replace(/\s+/g, ' ').trim()))
}
