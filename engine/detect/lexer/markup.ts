import { findLanguageByAlias } from '../../base/languages/languages.ts'
import { matchSticky } from './raw.ts'
import { STRING } from './reading.ts'
import type { Opener, Scanner } from './scanner.ts'

/** Kinds of `<script>` and `<style>` whose name is no language's (HTML Standard, 4.12.1; RFC 9239; import maps, speculation rules). */
const KINDS: Record<string, string> = {
  '': 'javascript',
  module: 'javascript',
  ecmascript: 'javascript',
  babel: 'javascript',
  jscript: 'javascript',
  importmap: 'json',
  speculationrules: 'json',
  'json+ld': 'json',
  'ld+json': 'json',
  template: 'html',
  'ng-template': 'html',
  'handlebars-template': 'handlebars',
}

/**
 * HTML and its relatives: the values of a tag's attributes are strings; what stands in `<script>` and `<style>` is read in the language that
 * the tag names by `lang` or `type`, JavaScript and CSS where it names none. Of a language that is not known it is part of the page.
 */
export const scanTag: Opener = (scanner, at) => {
  const { text } = scanner
  const opening = matchSticky(/<([a-z][\w:.-]*)(?=[\s/>])/iy, text, at)
  if (!opening) return -1
  const tag = opening[1]!.toLowerCase()
  const { end: after, attributes } = scanAttributes(scanner, at + opening[0].length)
  if (text.charCodeAt(after - 1) !== 62 || text.charCodeAt(after - 2) === 47) return after
  const named = attributes.get('lang') ?? attributes.get('type')
  if (tag === 'template' ? attributes.get('lang') === undefined : tag !== 'script' && tag !== 'style') return after
  const language = tag === 'style' ? findStyle(named) : findKind(named)
  // A template of the page's own language is read on as the page; so is what nobody can read.
  if (language === undefined) return after
  const closing = new RegExp(`</${tag}(?=[\\s/>])`, 'gi')
  closing.lastIndex = after
  const end = Math.min(closing.exec(text)?.index ?? scanner.end, scanner.end)
  scanner.embed(language, after, end)
  return end
}

/** Reads a tag's attributes up to its `>`, the values in quotes as strings. A quote that nothing closes is part of the text. */
function scanAttributes(scanner: Scanner, from: number): { end: number; attributes: Map<string, string> } {
  const { text } = scanner
  const attributes = new Map<string, string>()
  let name = from
  for (let at = from; at < scanner.end; at++) {
    const code = text.charCodeAt(at)
    if (code === 62) return { end: at + 1, attributes }
    // A new tag: this one was none.
    if (code === 60) return { end: at, attributes }
    if (code === 32 || (code >= 9 && code <= 13)) name = at + 1
    else if (code === 61) {
      const value = matchSticky(/=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/y, text, at)
      if (!value) continue
      const key = text.slice(name, at).trim().toLowerCase()
      const content = value[1] ?? value[2] ?? value[3]!
      if (!attributes.has(key)) attributes.set(key, content.trim())
      const end = at + value[0].length
      if (value[3] === undefined) scanner.push(end - content.length - 2, end, STRING)
      at = end - 1
    }
  }
  return { end: scanner.end, attributes }
}

function findStyle(named: string | undefined): string | undefined {
  return named === undefined || named === '' ? 'css' : (findKind(named) ?? 'css')
}

/** The language that `lang="ts"`, `type="text/typescript"` or `type="application/ld+json"` means. */
function findKind(named: string | undefined): string | undefined {
  if (named === undefined) return 'javascript'
  const kind = named
    .toLowerCase()
    .replace(/;.*$/s, '')
    .replace(/^(?:text|application)\//, '')
    .replace(/^x-/, '')
    .trim()
  return Object.hasOwn(KINDS, kind) ? KINDS[kind] : findLanguageByAlias(kind)
}

/** Markdown: a fence names the language of the lines up to the next one of its kind (CommonMark 0.31, 4.5). */
export const scanFence: Opener = (scanner, at) => {
  const { text } = scanner
  if (!scanner.firstOnLine(at)) return -1
  const opening = matchSticky(/(`{3,}|~{3,})[ \t]*\{?[.]?([\w#+-]*)[^\n`]*\n/y, text, at)
  if (!opening) return -1
  const [whole, fence, name] = opening as unknown as [string, string, string]
  const start = at + whole.length
  const closing = new RegExp(`^[ \\t]{0,3}(?:>[ \\t]*)*[ \\t]*\\${fence[0]}{${fence.length},}[ \\t]*\\r?$`, 'gm')
  closing.lastIndex = start
  const found = closing.exec(text)
  const end = Math.min(found?.index ?? scanner.end, scanner.end)
  const language = name === '' ? undefined : findLanguageByAlias(name)
  if (language !== undefined) scanner.embed(language, start, end)
  return Math.min(found ? found.index + found[0].length : scanner.end, scanner.end)
}

/** Astro: TypeScript between two lines of three dashes at the beginning. */
export const scanFrontMatter: Opener = (scanner, at) => {
  const { text } = scanner
  if (text.slice(0, at).trim() !== '') return -1
  const opening = matchSticky(/---[ \t]*\r?\n/y, text, at)
  if (!opening) return -1
  const start = at + opening[0].length
  const found = /^---/m.exec(text.slice(start))
  if (!found) return -1
  scanner.embed('typescript', start, start + found.index)
  return start + found.index + 3
}
