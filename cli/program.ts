import { type CAC, cac } from 'cac'
import type { Schemas } from '../engine/door/schemas.ts'
import type { Command } from './commands.ts'
import { COMMON, listOptions, type Option, takesPath } from './options.ts'

/**
 * The program's structure as cac holds it: what help is written from. Loaded for help only; values are parsed by
 * node:util, because cac turns `1e5` into 100000 and `007` into 7, and does not match commands of two words.
 */
export function buildProgram(commands: readonly Command[], schemas: (id: string) => Schemas): CAC {
  const program = cac('svc')
  for (const command of commands) {
    const entry = program.command(command.row.cli!, command.row.summary)
    for (const [example] of command.row.examples) entry.example(example)
    for (const option of listOptions(command, schemas)) entry.option(formatSignature(option), describe(option))
  }
  for (const common of COMMON) program.option(formatSignature({ type: 'boolean', ...common }), common.description)
  return program
}

/** How an option is written: `-c, --config <path>`. */
export function formatSignature(option: Written): string {
  const { flag, short, type, negatable } = option
  const value = type === 'boolean' ? '' : ` <${placeholder(option)}>`
  return `${short ? `-${short}, ` : ''}--${flag}${negatable ? `, --no-${flag}` : ''}${value}`
}

type Written = Pick<Option, 'flag' | 'short' | 'type'> & Partial<Option>

/** Up to this many columns, the choices themselves stand for the value. */
const SHORT_CHOICES = 20

function placeholder({ type, choices = [], key = '' }: Written): string {
  const list = choices.join('|')
  if (list !== '') return list.length <= SHORT_CHOICES ? list : 'choice'
  if (type !== 'string') return 'n'
  return takesPath(key) ? 'path' : 'text'
}

/** What an option means: its description, the words it takes, whether it may be repeated, its default. */
export function describe(option: Option): string {
  const { choices, multiple, required } = option
  const description = option.type === 'boolean' ? asSwitch(option.description) : option.description
  const missing = choices.filter(choice => !new RegExp(`\\b${choice.replace(/[^\w]/g, '\\$&')}\\b`).test(description))
  const notes = [
    missing.length > 0 ? `one of ${choices.join(', ')}` : '',
    multiple ? 'may be repeated' : '',
    required ? 'required' : '',
    defaultNote(option),
  ].filter(Boolean)
  return [description, notes.length > 0 ? `(${notes.join('; ')})` : ''].filter(Boolean).join(' ')
}

/** A description completes "must be …"; for a switch that needs no value, what is left is what it does. */
function asSwitch(description: string): string {
  if (description.startsWith('true or false: ')) return description.slice('true or false: '.length)
  return description.replace(/^true (to|where|when|if) /, '').replace(/,? or false\b.*$/, '')
}

function defaultNote(option: Option): string {
  const value = option.default
  if (value === undefined || value === false || value === '' || value === null) return ''
  if (value === true) return 'default: on'
  if (Array.isArray(value)) return value.length > 0 ? `default: ${value.join(', ')}` : ''
  return `default: ${String(value)}`
}
