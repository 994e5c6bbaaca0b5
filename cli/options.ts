import type { JsonSchema } from '../engine/base/json-schema.ts'
import type { Schemas } from '../engine/door/schemas.ts'
import type { Command } from './commands.ts'

/** An option of a command, read from a property of the operation's input schema. */
export interface Option {
  /** Input key, snake_case; undefined for the options that belong to the command line itself. */
  key?: string
  /** Long form without dashes, kebab-case. */
  flag: string
  short?: string
  type: 'boolean' | 'integer' | 'number' | 'string'
  /** May be repeated; the input is an array. */
  multiple: boolean
  choices: string[]
  default?: unknown
  required: boolean
  description: string
  /** `--no-<flag>` is offered too. */
  negatable: boolean
}

type Common = Pick<Option, 'flag' | 'short' | 'description'> & { type?: 'string' }

/** Letters of options that are the same in every command that has them, where it claims the letter for no other. */
const LETTERS: Readonly<Record<string, string>> = { config: 'c' }

/** Options that every command has; they never reach the operation, except where its input has the same key. */
export const COMMON: readonly Common[] = [
  { flag: 'json', short: 'j', description: 'print the result as JSON' },
  { flag: 'quiet', short: 'q', description: 'print the result only, without progress and notices' },
  { flag: 'verbose', short: 'v', description: 'print details; after an error, its cause' },
  { flag: 'no-color', description: 'print without colours, as NO_COLOR does' },
  {
    flag: 'output-dir',
    type: 'string',
    description: 'a directory for runs and reports instead of out/; overrides SVC_OUTPUT_DIR',
  },
  {
    flag: 'log-format',
    type: 'string',
    description:
      'text or json: how notices, errors and requests are written to standard error; overrides SVC_LOG_FORMAT',
  },
  { flag: 'help', short: 'h', description: 'print this help' },
]

/**
 * Every option of a command: the input's properties that are no positional and can be written as text, in the schema's
 * order, then the common ones. A letter that the operation claims is taken from the common option.
 */
export function listOptions(command: Command, schemas: (id: string) => Schemas): Option[] {
  const { properties = {}, required = [] } = schemas(command.row.id).input
  const claimed = Object.values(command.row.short)
  const own: Option[] = []
  for (const [key, property] of Object.entries(properties)) {
    if (command.positionals.some(p => p.key === key)) continue
    const value = shapeOf(property)
    if (!value) continue
    const flag = key.replaceAll('_', '-')
    own.push({
      key,
      flag,
      short: command.row.short[key] ?? findLetter(key, claimed) ?? COMMON.find(c => c.flag === flag)?.short,
      ...value,
      default: property.default,
      required: required.includes(key) && property.default === undefined,
      description: property.description ?? value.description,
      negatable: value.type === 'boolean' && property.default === true,
    })
  }
  const common = COMMON.filter(c => !own.some(o => o.flag === c.flag)).map(
    ({ flag, short, description, type = 'boolean' as Option['type'] }): Option => ({
      flag,
      short: own.some(o => o.short === short) ? undefined : short,
      type,
      multiple: false,
      choices: [],
      required: false,
      description,
      negatable: false,
    }),
  )
  return [...own, ...common]
}

function findLetter(key: string, claimed: readonly string[]): string | undefined {
  const letter = LETTERS[key]
  return letter !== undefined && !claimed.includes(letter) ? letter : undefined
}

/** The schema of one value written as text: of the property itself, or of an array's items. */
export function findTextSchema(property: JsonSchema | undefined): JsonSchema | undefined {
  if (!property) return undefined
  const variants = (property.anyOf ?? [property]).filter(v => v.type !== 'null')
  const list = variants.find(v => v.type === 'array')
  if (list) return list.items ? findTextSchema(list.items) : { type: 'string' }
  return variants.length === 1 ? variants[0] : merged(variants)
}

/** Whether a property takes several values. */
export function isList(property: JsonSchema | undefined): boolean {
  return (property?.anyOf ?? [property]).some(v => v?.type === 'array')
}

/** A union of constants is a choice; any other union is text, for the check to judge. */
function merged(variants: JsonSchema[]): JsonSchema | undefined {
  const scalars = variants.filter(v => v.type !== 'object')
  if (scalars.length === 0) return undefined
  const choices = scalars.flatMap(v => v.enum ?? ('const' in v ? [v.const] : []))
  return choices.length > 0 ? { enum: choices } : { type: 'string' }
}

function shapeOf(property: JsonSchema): Pick<Option, 'type' | 'multiple' | 'choices' | 'description'> | undefined {
  const schema = findTextSchema(property)
  if (!schema || schema.type === 'object') return undefined
  const type =
    schema.type === 'boolean' || schema.type === 'integer' || schema.type === 'number' ? schema.type : 'string'
  const choices = schema.enum ?? ('const' in schema ? [schema.const] : [])
  return { type, multiple: isList(property), choices: choices.map(String), description: schema.description ?? '' }
}

/** Whether values are paths, by the input key: what help and completion say of them. */
export function takesPath(key: string): boolean {
  return /(^|_)(path|paths|file|files|config|output|out|dir|folder|root|requirements)$/.test(key)
}
