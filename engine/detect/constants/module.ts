import { Positions } from '../../base/text/positions.ts'
import type { Argument, Value } from '../resource/configuration.ts'
import { readHcl } from '../resource/hcl.ts'
import type { CompiledRule } from '../rules/active-rules.ts'
import { type Definition, MOST_DEFINITIONS } from './definition.ts'
import type { Use } from './uses.ts'

/** References of one file that are looked up. */
const MOST_REFERENCES = 400

/** An argument whose value is one reference, or one within a text of nothing else. */
const REFERENCE =
  /^([ \t]*([A-Za-z_][\w-]*)[ \t]*=[ \t]*)("\$\{[ \t]*)?((?:var|local)\.[A-Za-z_][\w-]*)([ \t]*\}")?[ \t]*(?:(?:#|\/\/)[^\r\n]*)?\r?$/gm

/** What the variables of a file of a module hold by default, and its locals; of a file of variables what it sets. Plain values alone. */
export function listModuleValues(text: string, setsVariables: boolean): Definition[] {
  const positions = new Positions(text)
  const out: Definition[] = []
  const add = (name: string, { start, value }: Argument) => {
    const plain = readPlain(value)
    if (plain === undefined || out.length >= MOST_DEFINITIONS) return
    const { line, column } = positions.at(start)
    const end = text.indexOf('\n', start)
    out.push({ name, value: plain, line, column, end_column: column + (end === -1 ? text.length : end) - start })
  }
  if (setsVariables) {
    // Arguments stand outside of blocks there.
    for (const block of readHcl(`all {\n${text}\n}`).blocks)
      for (const { name, start, value } of block.arguments.values())
        add(`var.${name}`, { name, value, start: start - 'all {\n'.length })
    return out
  }
  for (const { keyword, labels, arguments: own } of readHcl(text).blocks) {
    const given = own.get('default')
    if (keyword === 'variable' && given && labels[0] !== undefined) add(`var.${labels[0]}`, given)
    if (keyword === 'locals') for (const each of own.values()) add(`local.${each.name}`, each)
  }
  return out
}

function readPlain(value: Value): Definition['value'] | undefined {
  if (value.kind === 'text') return value.text
  if (value.kind === 'truth') return value.text === 'true'
  return value.kind === 'number' && Number.isFinite(Number(value.text)) ? Number(value.text) : undefined
}

/** References to variables and locals in a file that rules about resources ask for, by the names of properties. */
export function findReferences(text: string, properties: ReadonlySet<string>): Use[] {
  const own = new Set(listModuleValues(text, false).map(({ name }) => name))
  const out: Use[] = []
  for (const found of text.matchAll(REFERENCE)) {
    const [, head = '', property = '', open = '', name = '', close = ''] = found
    if (out.length >= MOST_REFERENCES) break
    if ((open === '') !== (close === '') || own.has(name) || !properties.has(property)) continue
    const start = found.index + head.length
    out.push({ kind: 'module', name, start, end: start + open.length + name.length + close.length })
  }
  return out
}

/** Names of the properties that rules about resources ask for. */
export function listProperties(rules: readonly CompiledRule[]): ReadonlySet<string> {
  const rows = rules.flatMap(rule => (rule.type === 'resource' ? rule.resources : []))
  return new Set(rows.map(({ property }) => property.slice(property.lastIndexOf('.') + 1)))
}
