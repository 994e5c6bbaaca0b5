import { formatTree, joinTrees, type LicenseTree, readLicense } from './expression.ts'
import { findLicenseName } from './names.ts'
import { findNotices } from './notices.ts'
import { matchTexts } from './texts.ts'
import { splitWords } from './words.ts'

/** A license that a text has or names. */
export interface LicenseEvidence {
  /** An expression of SPDX. */
  expression: string
  /** `tag`: SPDX-License-Identifier; `text`: the license itself; `notice`: words that name it; `address`: a link to it. */
  by: 'tag' | 'text' | 'notice' | 'address'
  /** The line where it begins, counted from 1. */
  line: number
  /** The share of the license's text that is there, for `text`. */
  containment?: number
  /** Further licenses with the same text: it does not say which is meant. */
  alternatives?: string[]
}

export interface Identified {
  evidence: LicenseEvidence[]
  /** All of it as one expression; undefined where nothing was found. */
  expression?: string
  tree?: LicenseTree
}

const TAG = /SPDX-License-Identifier:[ \t]*([^\r\n]+)/gi
const MOST_TAGS = 200
/** Words with which a text lets choose between the licenses that it names. */
const CHOICE =
  /\b(?:dual licensed|dual license|multi licensed|tri license|alternatively (?:this|the|you|provided)|alternatively (?:\w+ ){1,6}may be|at your (?:option|choice) (?:under|of)|either of the following|your choice of|under either|choose (?:either|one|between)|one of the following licenses|either the \w+ (?:license )?or)\b/

/** Finds the licenses of a text: tags, whole license texts, then notices in what is left. Nothing is guessed from likeness alone. */
export function identifyLicenses(text: string): Identified {
  const evidence: LicenseEvidence[] = []
  const add = (one: LicenseEvidence) => {
    if (!evidence.some(({ expression }) => expression === one.expression)) evidence.push(one)
  }
  for (const tag of readTags(text)) add(tag)
  const split = splitWords(text.replace(TAG, ''))
  const { matches, covered } = matchTexts(split)
  for (const { ids, containment, start } of matches) {
    const [id, ...alternatives] = ids
    add({
      ...{ expression: id!, by: 'text', line: split.lines[start] ?? 1, containment },
      ...(alternatives.length > 0 && { alternatives }),
    })
  }
  const notices = findNotices(split.words, word => covered[word] === 1)
  for (const { license, start } of notices)
    if (!isImplied(license, evidence)) add({ expression: license, by: 'notice', line: split.lines[start] ?? 1 })
  const hasGnu = evidence.some(({ expression }) => GNU.test(expression))
  for (const address of readAddresses(text))
    if (!(hasGnu && GNU.test(address.expression)) && !isImplied(address.expression, evidence)) add(address)
  const trees = evidence.flatMap(({ expression }) => {
    const read = readLicense(expression)
    return 'tree' in read ? read.tree : []
  })
  if (trees.length === 0) return { evidence }
  const isChoice = trees.length > 1 && CHOICE.test(split.words.join(' ').slice(0, 20_000))
  const tree = joinTrees(isChoice ? 'any' : 'all', trees)
  return { evidence, expression: formatTree(tree), tree }
}

/** A license of the GNU family: links to its text stand in notices that say which versions hold. */
const GNU = /\b(?:A?GPL|LGPL|GFDL)-/

/** A family's text and a notice of another of its versions of rights are one license: the notice says which. */
function isImplied(license: string, evidence: LicenseEvidence[]): boolean {
  for (const one of evidence) {
    if (one.expression === license) return true
    if (one.by === 'text' && one.alternatives?.includes(license)) {
      one.expression = license
      delete one.alternatives
      return true
    }
  }
  return false
}

/** The tags of a text (SPDX annex H): an expression up to the end of the comment. */
export function readTags(text: string): LicenseEvidence[] {
  const found: LicenseEvidence[] = []
  for (const match of text.matchAll(TAG)) {
    const line = match[1]!
    const end = line.search(/\*\/|-->|%>|\*\)|--\}|#\}|"|'/)
    const said = (end === -1 ? line : line.slice(0, end)).trim()
    const read = readLicense(said)
    if ('tree' in read) found.push({ expression: read.expression, by: 'tag', line: lineAt(text, match.index) })
    if (found.length >= MOST_TAGS) break
  }
  return found
}

function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}

const ADDRESS =
  /https?:\/\/(?:www\.)?((?:creativecommons\.org|opensource\.org|apache\.org|gnu\.org|mozilla\.org|isc\.org|eclipse\.org|unlicense\.org|boost\.org|spdx\.org|wtfpl\.net)\/[\w./%-]{1,80})/gi
const MOST_ADDRESSES = 100

/** Links to licenses at the places where they are published. */
function readAddresses(text: string): LicenseEvidence[] {
  const found: LicenseEvidence[] = []
  for (const match of text.matchAll(ADDRESS)) {
    if (found.length >= MOST_ADDRESSES) break
    const path = match[1]!.toLowerCase().replace(/[./]+$/, '')
    const commons = /^creativecommons\.org\/licenses\/(by(?:-nc)?(?:-nd|-sa)?)\/(\d\.\d)/.exec(path)
    const listed = /^(?:spdx\.org\/licenses|opensource\.org\/licenses?)\/([\w.-]+)$/.exec(path)
    const expression = commons
      ? `CC-${commons[1]!.toUpperCase()}-${commons[2]}`
      : (findLicenseName(`http://${path}`) ?? (listed ? readListed(listed[1]!) : undefined))
    if (expression === undefined) continue
    found.push({ expression, by: 'address', line: lineAt(text, match.index) })
  }
  return found
}

function readListed(id: string): string | undefined {
  const read = readLicense(id.replace(/\.(?:html?|txt|php)$/, ''))
  return 'tree' in read && 'license' in read.tree ? read.expression : undefined
}
