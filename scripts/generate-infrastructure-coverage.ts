// The table of docs/coverage.md about infrastructure: which families of weaknesses the built-in rules cover in which format.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { detectLanguage } from '../engine/base/languages/languages.ts'
import type { CoveredRule } from './generate-coverage.ts'

/** A format: an example is of it where all that is given holds. */
export interface InfrastructureFormat {
  name: string
  /** Languages of the example. */
  languages: string[]
  /** Expressions over the rule's id, the example's path and its text. */
  rule?: string
  path?: string
  code?: string
}

/** scripts/coverage-infrastructure.yaml. */
export interface InfrastructureTable {
  columns: InfrastructureFormat[]
  /** Why a family does not apply to a format, by a short name. */
  reasons: Record<string, string>
  /** A rule is of a family by a CWE entry, or by its id. */
  families: { name: string; cwe?: string[]; rules?: string; not?: Record<string, string> }[]
}

/** The families and formats, and why a family does not apply. */
export function readInfrastructureTable(root: string): InfrastructureTable {
  return parse(readFileSync(join(root, 'scripts/coverage-infrastructure.yaml'), 'utf8')) as InfrastructureTable
}

/**
 * The table with its sentences. A cell has the number of rules that report one of their positive examples in the format, the number of the reason
 * why the family does not apply, or a dash. An error where a family names a format or a reason that does not exist.
 */
export function formatInfrastructure(table: InfrastructureTable, rules: readonly CoveredRule[]): string {
  const { columns, reasons, families } = table
  const names = Object.keys(reasons)
  const shown = rules.map(rule => ({ rule, formats: listShownFormats(rule, columns) }))
  let [covered, missing] = [0, 0]
  const rows = families.map(family => {
    for (const [column, reason] of Object.entries(family.not ?? {})) {
      if (!columns.some(({ name }) => name === column)) throw new Error(`${family.name}: there is no format ${column}`)
      if (!names.includes(reason)) throw new Error(`${family.name}: there is no reason ${reason}`)
    }
    const own = shown.filter(({ rule }) => isOfFamily(rule, family))
    const cells = columns.map(({ name }) => {
      const count = new Set(own.filter(({ formats }) => formats.has(name)).map(({ rule }) => rule.id)).size
      const reason = family.not?.[name]
      if (count > 0) covered++
      else if (reason === undefined) missing++
      if (count > 0) return String(count)
      return reason === undefined ? '–' : `(${names.indexOf(reason) + 1})`
    })
    return `| ${[family.name, ...cells].join(' | ')} |`
  })
  return `Rules that ask the properties of resources, also those that are not given: \`scripts/coverage-infrastructure.yaml\` names the families and
formats. ${covered} cells have rules, ${missing} are gaps.

| Family | ${columns.map(({ name }) => name).join(' | ')} |
|---|${columns.map(() => '---').join('|')}|
${rows.join('\n')}

A number in parentheses is the reason why the family does not apply:
${names.map((name, index) => `${index + 1}. ${reasons[name]}`).join('\n')}
`
}

function isOfFamily({ id, cwe = [] }: CoveredRule, family: InfrastructureTable['families'][number]): boolean {
  if (family.rules !== undefined && new RegExp(family.rules).test(id)) return true
  return family.cwe !== undefined && cwe.some(one => family.cwe!.includes(one))
}

/** The formats of a rule's positive examples. */
function listShownFormats(rule: CoveredRule, columns: readonly InfrastructureFormat[]): Set<string> {
  const { id, languages, match = [] } = rule
  const first = languages.find(name => name !== 'any')
  return new Set(
    match.flatMap(one => {
      const { path = '', code = '' } =
        typeof one === 'string' ? { code: one } : (one as { path?: string; code?: string })
      const language = (path === '' ? undefined : detectLanguage(path)) ?? first
      return columns
        .filter(
          format =>
            format.languages.some(each => each === language) &&
            (format.rule === undefined || new RegExp(format.rule).test(id)) &&
            (format.path === undefined || new RegExp(format.path).test(path)) &&
            (format.code === undefined || new RegExp(format.code).test(code)),
        )
        .map(({ name }) => name)
    }),
  )
}
