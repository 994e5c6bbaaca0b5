import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { detectLanguage, LANGUAGES } from '../../engine/base/languages/languages.ts'
import { AST_LANGUAGES } from '../../engine/detect/syntax/grammar.ts'
import { ROOT } from './program.ts'

/** A real text and the name of a file that it could stand in. */
export interface Sample {
  name: string
  language: string
  text: string
}

/** Larger files are no better material. */
const MOST = 200_000
/** Files taken of one folder and language: enough for variety, few enough that no language outweighs the others. */
const EACH = 40

/** The examples of every rule, which reach past the literals and into the parsers. */
export function ruleExamples(): Sample[] {
  const samples: Sample[] = []
  for (const pack of readdirSync(join(ROOT, 'packs'))) {
    const folder = join(ROOT, 'packs', pack, 'rules')
    for (const name of filesIn(folder)) {
      const { languages = [], match = [], clean = [] } = parse(readFileSync(join(folder, name), 'utf8'))
      for (const language of languages as string[]) {
        for (const example of [...match, ...clean] as (string | { code: string; path?: string })[]) {
          const text = typeof example === 'string' ? example : example.code
          if (language !== 'any') samples.push({ name: nameFor(language), language, text })
        }
      }
    }
  }
  return samples
}

/** Real files of many languages: the project's own, and those of what is installed with it. */
export function realFiles(): Sample[] {
  const samples: Sample[] = []
  const counts = new Map<string, number>()
  const walk = (folder: string, depth: number) => {
    for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory() && depth > 0) walk(path, depth - 1)
      if (!entry.isFile()) continue
      const language = detectLanguage(path)
      const seen = counts.get(`${folder.split('/')[0]} ${language}`) ?? 0
      if (language === null || seen >= EACH) continue
      const bytes = readFileSync(join(ROOT, path))
      if (bytes.length > MOST || bytes.includes(0)) continue
      counts.set(`${folder.split('/')[0]} ${language}`, seen + 1)
      samples.push({ name: entry.name, language, text: bytes.toString('utf8') })
    }
  }
  for (const folder of ['engine', 'test', 'docs', 'packs', 'node_modules']) walk(folder, 4)
  return samples
}

/** A file name that says the language. */
export function nameFor(language: string): string {
  const { extensions, files, stems } = LANGUAGES.get(language) ?? {}
  if (extensions?.[0]) return `a.${extensions[0]}`
  return files?.[0] ?? (stems?.[0] ? `${stems[0]}.x` : 'a.txt')
}

/** Brackets and blocks that nest, by language; what is not named nests with brackets of every kind. */
const BLOCKS: Record<string, readonly (readonly [open: string, close: string])[]> = {
  bash: [
    ['$(echo ', ')'],
    ['if true; then ', '; fi'],
    ['{ ', '; }'],
    ['"$(', ')"'],
    ['((', '))'],
  ],
  html: [
    ['<div>', '</div>'],
    ['<p><b>', '</b></p>'],
    ['<svg><g>', '</g></svg>'],
  ],
  xml: [['<a>', '</a>']],
  css: [
    ['a{', '}'],
    ['@media x{', '}'],
    ['a:not(', ')'],
  ],
  json: [
    ['[', ']'],
    ['{"a":', '}'],
  ],
  lua: [
    ['do ', ' end'],
    ['f(function() ', ' end)'],
    ['{', '}'],
  ],
  ruby: [
    ['begin; ', '; end'],
    ['if a; ', '; end'],
    ['[', ']'],
    ['"#{', '}"'],
    ['a { ', ' }'],
  ],
  sql: [
    ['(SELECT ', ')'],
    ['CASE WHEN 1 THEN ', ' END'],
    ['BEGIN ', '; END'],
  ],
  yaml: [
    ['[', ']'],
    ['{a: ', '}'],
    ['- ', ''],
    ['? ', ''],
  ],
  toml: [
    ['[', ']'],
    ['a = {a = ', '}'],
  ],
  elixir: [
    ['if a do ', ' end'],
    ['"#{', '}"'],
    ['[', ']'],
    ['fn -> ', ' end'],
  ],
  python: [
    ['(', ')'],
    ['[', ']'],
    ['{', '}'],
    ['f"{', '}"'],
    ['lambda: ', ''],
    ['not ', ''],
    ['a(', ')'],
  ],
  php: [
    ['<?php if(1){', '}'],
    ['<?php [', ']'],
    ['<?php f(', ')'],
    ['<?php "{$a[', ']}"'],
  ],
}

const BRACKETS = [
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
  ['f(', ')'],
  ['if (a) {', '}'],
  ['!', ''],
  ['-', ''],
  ['a + (', ')'],
  ['a + ', 'b'],
  ['x = ', '1'],
  ['a<', '>'],
  ['a ? b : ', 'c'],
  ['`${', '}`'],
  ['/*', '*/'],
  ['"', '"'],
  ['else if (a) {} ', ''],
  ['.a()', ''],
  ['a::', 'b'],
] as const

/** The ways in which a language nests. */
export function nestings(language: string): readonly (readonly [open: string, close: string])[] {
  return [...(BLOCKS[language] ?? []), ...BRACKETS]
}

/** Python's and YAML's way of nesting: each line further in than the one before. */
export function indented(line: string, depth: number): string {
  return Array.from({ length: depth }, (_, level) => `${' '.repeat(level)}${line}`).join('\n')
}

export const LANGUAGE_NAMES: readonly string[] = [...LANGUAGES.keys()]
export { AST_LANGUAGES }

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
