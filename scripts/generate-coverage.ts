// Writes docs/coverage.md: which families of weaknesses the built-in rules cover in which language.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { detectLanguage } from '../engine/base/languages/languages.ts'
import type { Library } from '../engine/base/records/library.ts'
import {
  formatInfrastructure,
  type InfrastructureTable,
  readInfrastructureTable,
} from './generate-infrastructure-coverage.ts'

/** scripts/coverage-families.yaml. */
export interface CoverageTable {
  columns: { name: string; languages: string[] }[]
  /** Why a family does not apply to a language, by a short name. */
  reasons: Record<string, string>
  families: { name: string; cwe: string[]; not?: Record<string, string> }[]
}

/** What a rule file says that the table needs. */
export interface CoveredRule {
  id: string
  /** Of a weakness's rule: names the form. */
  key?: string
  languages: string[]
  cwe?: string[]
  match?: (string | { path?: string; code?: string })[]
}

/** Writes the page under the root; an error where a family excludes a column or gives a reason that does not exist. */
export function generateCoverage(root: string): void {
  const page = formatCoverage(
    readCoverageTable(root),
    readRules(root),
    listKnownLibraries(root),
    readInfrastructureTable(root),
  )
  writeFileSync(join(root, 'docs/coverage.md'), page)
}

/** A library that rules know, with code that must be reported and code that must not. */
export interface KnownLibrary {
  library: string
  /** Of the code; tells its language where the first of its heading is another one. */
  path?: string
  match: string
  clean: string
}

/** scripts/coverage-libraries.yaml, by language. */
export function readKnownLibraries(root: string): Record<string, KnownLibrary[]> {
  return parse(readFileSync(join(root, 'scripts/coverage-libraries.yaml'), 'utf8')) as Record<string, KnownLibrary[]>
}

/** Names that say a kind of library, and none. */
const GENERAL =
  /^(?:HTTP clients|Database drivers|Chat bots|Serverless functions|WebSocket servers|(?:Requests|Escaping|other) .*)$/

/** The names of libraries that are known in each language: those of packs/libraries, and those of scripts/coverage-libraries.yaml. */
export function listKnownLibraries(root: string): Map<string, string[]> {
  const known = new Map<string, Set<string>>()
  const add = (language: string, name: string) => known.set(language, (known.get(language) ?? new Set()).add(name))
  const folder = join(root, 'packs/libraries')
  for (const language of readdirSync(folder))
    for (const file of readdirSync(join(folder, language))) {
      const { library, languages } = parse(readFileSync(join(folder, language, file), 'utf8')) as Library
      // What the language itself brings is no library.
      if (/\b(?:collections|structures|containers)\b|^Collections\b/.test(library)) continue
      const names = library.includes('standard library') ? [library] : library.split(/, | and /)
      for (const name of names.filter(name => !GENERAL.test(name))) for (const each of languages) add(each, name)
    }
  for (const [language, libraries] of Object.entries(readKnownLibraries(root)))
    for (const { library } of libraries) add(language, library)
  const inOrder = (names: Set<string>) => [...names].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
  return new Map([...known].map(([language, names]) => [language, inOrder(names)]))
}

/** The families and columns, and why a family does not apply. */
export function readCoverageTable(root: string): CoverageTable {
  return parse(readFileSync(join(root, 'scripts/coverage-families.yaml'), 'utf8')) as CoverageTable
}

/** Every rule file under packs, a weakness's rule once for each form. */
export function readRules(root: string): CoveredRule[] {
  const packs = join(root, 'packs')
  const read = (file: string) => parse(readFileSync(file, 'utf8')) as CoveredRule
  const filesOf = (folder: string) =>
    readdirSync(folder)
      .filter(name => name.endsWith('.yaml'))
      .map(name => join(folder, name))
  const single = readdirSync(packs)
    .map(pack => join(packs, pack, 'rules'))
    .filter(folder => existsSync(folder))
    .flatMap(filesOf)
    .map(read)
  const weaknesses = join(packs, 'weaknesses')
  const forms = readdirSync(weaknesses).flatMap(name => {
    const shared = read(join(weaknesses, name, 'rule.yaml'))
    return filesOf(join(weaknesses, name)).flatMap(file =>
      file.endsWith('rule.yaml') ? [] : { ...shared, ...read(file) },
    )
  })
  return [...single, ...forms]
}

/** Languages of a rule's positive examples. Each of them holds, or the rule does not load: so these are the languages that it is shown to know. */
export function listShownLanguages({ languages, match = [] }: CoveredRule): string[] {
  const first = languages.find(name => name !== 'any')
  const all = match.map(one => {
    const path = typeof one === 'string' ? undefined : one.path
    return (path === undefined ? undefined : detectLanguage(path)) ?? first
  })
  return [...new Set(all)].filter(name => name !== undefined)
}

/** The page. A cell has the number of rules, the number of the reason why the family does not apply, or a dash where rules are missing. */
export function formatCoverage(
  { columns, reasons, families }: CoverageTable,
  rules: readonly CoveredRule[],
  libraries: ReadonlyMap<string, readonly string[]>,
  infrastructure: InfrastructureTable = { columns: [], reasons: {}, families: [] },
): string {
  const names = Object.keys(reasons)
  let missing = 0
  let covered = 0
  const rows = families.map(family => {
    for (const [column, reason] of Object.entries(family.not ?? {})) {
      if (!columns.some(({ name }) => name === column)) throw new Error(`${family.name}: there is no column ${column}`)
      if (!names.includes(reason)) throw new Error(`${family.name}: there is no reason ${reason}`)
    }
    const own = rules.filter(({ cwe = [] }) => cwe.some(one => family.cwe.includes(one)))
    const shown = own.map(rule => ({ id: rule.id, languages: listShownLanguages(rule) }))
    const cells = columns.map(({ name, languages }) => {
      const looking = shown.filter(rule => rule.languages.some(one => languages.includes(one)))
      const count = new Set(looking.map(({ id }) => id)).size
      const reason = family.not?.[name]
      if (count > 0) covered++
      else if (reason === undefined) missing++
      if (count > 0) return String(count)
      return reason === undefined ? '–' : `(${names.indexOf(reason) + 1})`
    })
    return `| ${[family.name, ...cells].join(' | ')} |`
  })
  const tabled = [...columns, ...infrastructure.columns].flatMap(({ languages }) => languages)
  const formats = countFormats(rules, new Set(tabled))
  return `# Coverage

This page shows how many built-in rules detect each family of weaknesses in each language. A dash is a gap: no rule detects the family
there, so a scan without findings says nothing about it. ${covered} cells have rules, ${missing} are gaps. A rule counts in a language if it
reports one of its positive examples in that language.

A family is a set of CWE entries (\`scripts/coverage-families.yaml\`). A number says that there are rules, not that every notation or library
is known: [Accuracy](accuracy.md) has measured figures. Secrets are detected in all text files ([Secrets](secrets.md)).

| Family | ${columns.map(({ name }) => name).join(' | ')} |
|---|${columns.map(() => '---').join('|')}|
${rows.join('\n')}

A number in parentheses is the reason why the family does not apply:
${names.map((name, index) => `${index + 1}. ${reasons[name]}`).join('\n')}

## Libraries

Libraries and frameworks whose sources, sinks or sanitizers the rules know. [Teaching svc a framework](teaching-a-framework.md) describes how
to add one.

| Language | Count | Libraries |
|---|---|---|
${columns.flatMap(({ name, languages }) => formatLibraries(name, libraries.get(languages[0]!))).join('\n')}

## Infrastructure and configuration

${formatInfrastructure(infrastructure, rules)}
Formats that are in no table:

| Language or format | Rules |
|---|---|
${formats.map(([name, count]) => `| ${name} | ${count} |`).join('\n')}

<!-- Generated by npm run generate from scripts/coverage-*.yaml, packs/*/rules, packs/weaknesses and packs/libraries. Do not edit. -->
`
}

function formatLibraries(name: string, libraries: readonly string[] = []): string[] {
  return libraries.length === 0 ? [] : [`| ${name} | ${libraries.length} | ${libraries.join(', ')} |`]
}

/** The formats that are no column, with their numbers of rules, most first. */
function countFormats(rules: readonly CoveredRule[], columns: ReadonlySet<string>): [string, number][] {
  const counts = new Map<string, number>()
  for (const { languages } of rules)
    for (const name of languages)
      if (!columns.has(name) && name !== 'any') counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
}
