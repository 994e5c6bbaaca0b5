import { type ParseArgsConfig, parseArgs } from 'node:util'
import { EngineError } from '../engine/base/errors.ts'
import { check, type JsonSchema, parseTyped } from '../engine/base/json-schema.ts'
import { findNearest } from '../engine/base/text/nearest.ts'
import type { Schemas } from '../engine/door/schemas.ts'
import type { Command } from './commands.ts'
import { findTextSchema, isList, listOptions, type Option } from './options.ts'

/** A command's words, understood. `fault` is set where they were not; the flags hold all the same, so that it can be shown as asked. */
export interface Parsed {
  input: Record<string, unknown>
  /** Flags of the command line itself that were given: json, quiet, verbose, no-color, help. */
  flags: ReadonlySet<string>
  /** Values of the command line's own options, by flag. */
  values: ReadonlyMap<string, string>
  fault?: EngineError
}

interface Token {
  kind: 'option' | 'positional' | 'option-terminator'
  name?: string
  rawName?: string
  value?: string
  inlineValue?: boolean
}

/**
 * The words after a command's name as the operation's input. node:util splits them (`--opt=value`, `-o value`, `-ovalue`,
 * groups, `--`) and keeps every value as text; the schema says what becomes a number. Whether the values are allowed is
 * for `invoke` to check.
 */
export function parse(
  command: Command,
  options: readonly Option[],
  schemas: (id: string) => Schemas,
  words: string[],
): Parsed {
  const tokens = tokenize(options, words)
  const flags = new Set(tokens.filter(t => t.kind === 'option' && t.value !== 'false').map(t => t.name!))
  const schema = schemas(command.row.id).input
  const input: Record<string, unknown> = {}
  const values = new Map<string, string>()
  try {
    const positionals: string[] = []
    for (const token of tokens) {
      if (token.kind === 'positional') positionals.push(token.value!)
      if (token.kind === 'option') takeOption(token, options, schema, input, values)
    }
    takePositionals(command, positionals, schema, input)
    return { input, flags, values }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return { input, flags, values, fault: new EngineError(error.code, error.message, { hint: hintFor(command) }) }
  }
}

/**
 * An error about the input, with `--git-range` and `<run_id>` where it says the input's key: of what the check found the first word, of what an
 * operation itself raised the keys that `nameOptions` finds.
 */
export function toUsageError(
  error: unknown,
  command: Command,
  schemas: (id: string) => Schemas,
  input: Record<string, unknown>,
): unknown {
  if (!(error instanceof EngineError)) return error
  const typed = new Map<string, string>()
  for (const { key, flag } of listOptions(command, schemas)) if (key !== undefined) typed.set(key, `--${flag}`)
  for (const { key } of command.positionals) typed.set(key, `<${key}>`)
  const { code, place, faults, cause } = error
  if (code !== 'INPUT_INVALID') {
    // `paths: "src" is not there`; in any other sentence of a repository a word is a word.
    const message = error.message.replace(/^\w+(?=:)/, key => typed.get(key) ?? key)
    if (message === error.message) return error
    return new EngineError(code, message, { hint: error.hint, ...(place && { place }), faults: [...faults], cause })
  }
  try {
    check(schemas(command.row.id).input, input)
  } catch {
    const say = (message: string) => message.replace(/^(\w+)(?:\.\d+)?(?= )/, (whole, key) => typed.get(key) ?? whole)
    const faults = error.faults.map(fault => ({ ...fault, message: say(fault.message) }))
    return new EngineError(error.code, say(error.message), { hint: hintFor(command), faults })
  }
  const message = nameOptions(error.message, typed)
  const hint = error.hint && nameOptions(error.hint, typed)
  if (message === error.message && hint === error.hint) return error
  return new EngineError(error.code, message, {
    ...(hint && { hint }),
    ...(place && { place }),
    faults: [...faults],
    cause,
  })
}

/**
 * A sentence with options in place of the input's keys: of one that begins with a key, every key up to a colon; of any other, keys of more than
 * one word. Other words may be words, and what is quoted is the user's.
 */
function nameOptions(sentence: string, typed: ReadonlyMap<string, string>): string {
  const isAboutKeys = typed.has(/^\w+/.exec(sentence)?.[0] ?? '')
  const colon = sentence.indexOf(':')
  const end = colon === -1 ? sentence.length : colon
  return sentence.replace(/"[^"]*"|`[^`]*`|(?<![\w<./-])\w+(?![\w./=-]*[\w/=-])/g, (word, at: number) =>
    (isAboutKeys && at < end) || word.includes('_') ? (typed.get(word) ?? word) : word,
  )
}

function hintFor(command: Command): string {
  return `Run \`svc ${command.name} --help\`.`
}

function tokenize(options: readonly Option[], words: string[]): Token[] {
  // Most commands are given alone; loading node:util's parser takes a moment.
  if (words.length === 0) return []
  const config: NonNullable<ParseArgsConfig['options']> = {}
  for (const { flag, short, type, negatable } of options) {
    config[flag] = { type: type === 'boolean' ? 'boolean' : 'string', ...(short && { short }) }
    if (negatable) config[`no-${flag}`] = { type: 'boolean' }
  }
  return parseArgs({ args: words, options: config, strict: false, allowPositionals: true, tokens: true })
    .tokens as Token[]
}

function takeOption(
  token: Token,
  options: readonly Option[],
  schema: JsonSchema,
  input: Record<string, unknown>,
  values: Map<string, string>,
): void {
  const typed = token.rawName!
  const negated = options.find(o => o.negatable && token.name === `no-${o.flag}`)
  const option = negated ?? options.find(o => o.flag === token.name)
  if (!option) throw unknownOption(typed, options)
  if (option.type === 'boolean') {
    if (token.value !== undefined && !['true', 'false'].includes(token.value)) {
      throw new EngineError('USAGE', `${typed} takes no value, but "${token.value}" was passed.`)
    }
    if (option.key) input[option.key] = (token.value !== 'false') !== (negated !== undefined)
    return
  }
  const { value } = token
  const looksLikeOption =
    value !== undefined && !token.inlineValue && /^-./.test(value) && !isNegativeNumber(option, value)
  if (value === undefined || looksLikeOption) {
    const next = looksLikeOption ? `, but ${value} follows; write ${typed}=${value} if that is the value` : ''
    throw new EngineError('USAGE', `${typed} needs a value${next}.`)
  }
  if (option.key === undefined) {
    values.set(option.flag, value)
    return
  }
  const { key } = option
  const taken = convert(schema.properties?.[key], value)
  input[key] = option.multiple ? [...((input[key] as unknown[]) ?? []), taken] : taken
}

/** Each positional in turn; the last one takes all that are left where its input is a list. */
function takePositionals(command: Command, values: string[], schema: JsonSchema, input: Record<string, unknown>): void {
  const left = [...values]
  for (const { key } of command.positionals) {
    if (left.length === 0) return
    const property = schema.properties?.[key]
    input[key] = isList(property)
      ? left.splice(0).map(value => convert(property, value))
      : convert(property, left.shift()!)
  }
  if (left.length === 0) return
  const most = command.positionals.length
  const takes = most === 0 ? 'no parameter' : most === 1 ? 'one parameter' : `${most} parameters`
  throw new EngineError(
    'USAGE',
    `svc ${command.name} takes ${takes}, but "${left[0]}" was passed${most === 0 ? '' : ' too'}.`,
  )
}

function convert(property: JsonSchema | undefined, text: string): unknown {
  const schema = findTextSchema(property)
  return schema?.enum?.find(choice => String(choice) === text) ?? parseTyped(schema, text)
}

function isNegativeNumber(option: Option, value: string): boolean {
  return option.type !== 'string' && /^-\d/.test(value)
}

function unknownOption(typed: string, options: readonly Option[]): EngineError {
  const known = options.flatMap(o => [`--${o.flag}`, ...(o.negatable ? [`--no-${o.flag}`] : [])])
  const meant = typed.startsWith('--') ? findNearest(typed, known) : undefined
  return new EngineError('USAGE', `There is no option ${typed}${meant ? `; did you mean ${meant}?` : '.'}`)
}
