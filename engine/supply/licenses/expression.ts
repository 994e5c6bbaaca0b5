import { createRequire } from 'node:module'
import { findLicenseName } from './names.ts'

/** A license expression of SPDX as a tree. Ids are in SPDX's spelling, deprecated ones replaced. */
export type LicenseTree = { license: string; exception?: string } | { all: LicenseTree[] } | { any: LicenseTree[] }

/** What a text that names licenses means. */
export type LicenseReading =
  | {
      /** The expression in SPDX's spelling. */
      expression: string
      tree: LicenseTree
      /** The text was no valid expression of SPDX, and is the name of one: "Apache 2" for Apache-2.0. */
      corrected: boolean
    }
  /** The text says that nobody may use the package without a contract. */
  | { proprietary: true; name: string }
  /** What the text means is not known; the file of the package that it refers to, where it does. */
  | { unknown: string; file?: string }

export interface ReadLicenseOptions {
  /** Licenses between which a text without operators lets choose: `or` for lists whose format says so. */
  list?: 'or' | 'and'
}

/** Longer expressions are refused: the parser's time grows with the square of the length. */
const MOST_CHARACTERS = 4000
/** Deeper ones too: the parser calls itself for each bracket. */
const MOST_DEPTH = 40
const MOST_TOKENS = 600

interface Lists {
  licenses: Map<string, string>
  exceptions: Map<string, string>
  parse(source: string): unknown
}

let loaded: Lists | undefined

/** The lists of SPDX, by lower-case id; loaded on first use. */
export function loadLists(): Lists {
  if (loaded) return loaded
  const require = createRequire(import.meta.url)
  const current = require('spdx-license-ids') as string[]
  const deprecated = require('spdx-license-ids/deprecated') as string[]
  const exceptions = require('spdx-exceptions') as string[]
  loaded = {
    licenses: new Map([...deprecated, ...current].map(id => [id.toLowerCase(), id])),
    exceptions: new Map(exceptions.map(id => [id.toLowerCase(), id])),
    parse: require('spdx-expression-parse') as Lists['parse'],
  }
  return loaded
}

/** Deprecated ids that are an id with an exception now, or another id. Those of the GNU family without a suffix are made by a rule. */
const REPLACED: Readonly<Record<string, string>> = {
  'GPL-2.0-with-GCC-exception': 'GPL-2.0-only WITH GCC-exception-2.0',
  'GPL-2.0-with-autoconf-exception': 'GPL-2.0-only WITH Autoconf-exception-2.0',
  'GPL-2.0-with-bison-exception': 'GPL-2.0-only WITH Bison-exception-2.2',
  'GPL-2.0-with-classpath-exception': 'GPL-2.0-only WITH Classpath-exception-2.0',
  'GPL-2.0-with-font-exception': 'GPL-2.0-only WITH Font-exception-2.0',
  'GPL-3.0-with-GCC-exception': 'GPL-3.0-only WITH GCC-exception-3.1',
  'GPL-3.0-with-autoconf-exception': 'GPL-3.0-only WITH Autoconf-exception-3.0',
  'eCos-2.0': 'GPL-2.0-or-later WITH eCos-exception-2.0',
  wxWindows: 'LGPL-2.0-or-later WITH WxWindows-exception-3.1',
  'BSD-2-Clause-FreeBSD': 'BSD-2-Clause',
  'BSD-2-Clause-NetBSD': 'BSD-2-Clause',
  'StandardML-NJ': 'SMLNJ',
  'bzip2-1.0.5': 'bzip2-1.0.6',
}
const GNU = /^(?:A?GPL|LGPL|GFDL)-\d\.\d$/

/** Reads what a manifest, a lock file or a header says the license is. Never guesses: what is not known exactly is `unknown`. */
export function readLicense(text: string, { list = 'or' }: ReadLicenseOptions = {}): LicenseReading {
  const said = text.trim().replace(/\s+/g, ' ')
  if (said.length > MOST_CHARACTERS) return { unknown: `${said.slice(0, 200)}…` }
  const plain = stripQuotes(said)
  if (plain === '' || /^(?:unknown|none|noassertion|n\/?a|null|other|custom|other\/proprietary license)$/i.test(plain))
    return { unknown: said }
  if (
    /^(?:un-?licensed|proprietary|commercial|all rights reserved|closed(?: source)?|private)(?: licen[cs]e)?\.?$/i.test(
      plain,
    )
  )
    return { proprietary: true, name: said }
  const file = /^see licen[cs]e in (.+)$/i.exec(plain)?.[1]
  if (file !== undefined) return { unknown: said, file: file.replace(/^[<"']|[>"']$/g, '') }
  return readExpression(plain) ?? readList(plain, list) ?? { unknown: said }
}

/** Without quotes around it and punctuation behind it; a loop, since a regex tries the end anew at every sign. */
function stripQuotes(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && `"'`.includes(text[start]!)) start++
  while (end > start && `"',;`.includes(text[end - 1]!)) end--
  return text.slice(start, end)
}

/** Reads an expression of SPDX, in any case, with names between operators corrected; undefined where it is none. */
function readExpression(text: string): LicenseReading | undefined {
  const whole = findLicenseName(text)
  const source = whole ?? normalizeTokens(text)
  if (source === undefined) return undefined
  const tree = parseTree(source)
  if (tree === undefined) return undefined
  const expression = formatTree(tree)
  return { expression, tree, corrected: expression !== text }
}

/** "MIT/Apache-2.0" and "MIT, BSD": lists of before there were expressions. All of them must be known. */
function readList(text: string, list: 'or' | 'and'): LicenseReading | undefined {
  const isSlashed = text.includes('/') && !text.includes('://')
  const parts = text
    .replace(/[()]/g, ' ')
    .split(isSlashed ? '/' : /[,;|]/)
    .map(part => part.trim())
  if (parts.length < 2 || parts.some(part => part === '') || parts.length > MOST_TOKENS) return undefined
  const read = parts.map(readExpression)
  const trees = read.flatMap(one => (one && 'tree' in one ? one.tree : []))
  if (trees.length < parts.length) return undefined
  const tree = list === 'or' || isSlashed ? joinTrees('any', trees) : joinTrees('all', trees)
  return { expression: formatTree(tree), tree, corrected: true }
}

/** The text with each license in SPDX's spelling, ready for the parser; undefined where something in it is no license. */
function normalizeTokens(text: string): string | undefined {
  const words = text.replace(/[()]/g, bracket => ` ${bracket} `).split(/\s+/)
  if (words.length > MOST_TOKENS) return undefined
  const { licenses, exceptions } = loadLists()
  const tokens: string[] = []
  let name: string[] = []
  let afterWith = false
  let depth = 0
  const endName = (): boolean => {
    if (name.length === 0) return true
    const said = name.join(' ')
    name = []
    const found = afterWith ? exceptions.get(said.toLowerCase()) : findId(said, licenses)
    afterWith = false
    if (found === undefined) return false
    tokens.push(found)
    return true
  }
  for (const word of words) {
    if (word === '') continue
    const operator = /^(?:and|or|with)$/i.test(word) ? word.toUpperCase() : undefined
    const isLaterSuffix =
      word.toLowerCase() === 'or' && /^(?:later|newer|any)\b/i.test(words[words.indexOf(word) + 1] ?? '')
    if ((operator === undefined || isLaterSuffix) && word !== '(' && word !== ')') {
      name.push(word)
      continue
    }
    if (!endName()) return undefined
    tokens.push(operator ?? word)
    afterWith = operator === 'WITH'
    depth += word === '(' ? 1 : word === ')' ? -1 : 0
    if (depth > MOST_DEPTH) return undefined
  }
  return endName() && tokens.length > 0 ? tokens.join(' ') : undefined
}

function findId(said: string, licenses: ReadonlyMap<string, string>): string | undefined {
  if (/^(?:DocumentRef-[\w.-]+:)?LicenseRef-[A-Za-z0-9.-]+$/.test(said)) return said
  const isLater = said.endsWith('+')
  const id = licenses.get((isLater ? said.slice(0, -1) : said).toLowerCase())
  if (id === undefined) return findLicenseName(said)
  const replaced = REPLACED[id]
  if (replaced !== undefined) return `( ${replaced} )`
  if (GNU.test(id)) return `${id}${isLater ? '-or-later' : '-only'}`
  if (isLater && /-(?:only|or-later)$/.test(id)) return id.replace(/-only$/, '-or-later')
  return isLater ? `${id}+` : id
}

interface ParsedNode {
  license?: string
  plus?: true
  exception?: string
  conjunction?: 'and' | 'or'
  left?: ParsedNode
  right?: ParsedNode
}

function parseTree(source: string): LicenseTree | undefined {
  try {
    // Brackets that hold an exception's license alone are ours: the grammar has `WITH` after an id, not after brackets.
    return convert(loadLists().parse(source.replace(/\( (\S+) \) WITH/g, '$1 WITH')) as ParsedNode)
  } catch {
    // Whatever it throws (a TypeError for an operand that is missing): the text is no expression.
    return undefined
  }
}

function convert(node: ParsedNode): LicenseTree {
  if (node.conjunction === undefined)
    return {
      license: node.plus ? `${node.license!}+` : node.license!,
      ...(node.exception !== undefined && { exception: node.exception }),
    }
  return joinTrees(node.conjunction === 'and' ? 'all' : 'any', [convert(node.left!), convert(node.right!)])
}

/** One tree of several; equal ones count once, and trees of the same kind become one. */
export function joinTrees(kind: 'all' | 'any', trees: readonly LicenseTree[]): LicenseTree {
  const flat = trees.flatMap(tree => (kind in tree ? (tree as Record<typeof kind, LicenseTree[]>)[kind] : [tree]))
  const unique = [...new Map(flat.map(tree => [formatTree(tree), tree])).values()]
  if (unique.length === 1) return unique[0]!
  return kind === 'all' ? { all: unique } : { any: unique }
}

/** The tree as an expression of SPDX; AND binds closer than OR. */
export function formatTree(tree: LicenseTree): string {
  if ('license' in tree) return tree.exception === undefined ? tree.license : `${tree.license} WITH ${tree.exception}`
  if ('any' in tree) return tree.any.map(formatTree).join(' OR ')
  return tree.all.map(one => ('any' in one ? `(${formatTree(one)})` : formatTree(one))).join(' AND ')
}

/** Each license of a tree once, with its exception. */
export function listLicenses(tree: LicenseTree): { license: string; exception?: string }[] {
  if ('license' in tree) return [tree]
  const all = ('any' in tree ? tree.any : tree.all).flatMap(listLicenses)
  return [...new Map(all.map(one => [formatTree(one), one])).values()]
}
