import type { Tool, ToolAnnotations } from '@modelcontextprotocol/server'
import { EngineError } from '../engine/base/errors.ts'
import type { JsonSchema } from '../engine/base/json-schema.ts'
import type { Effect, ManifestRow } from '../engine/door/operation.ts'
import type { Schemas } from '../engine/door/schemas.ts'

/** The rows that are tools, by their name. */
export function listToolRows(rows: readonly ManifestRow[]): Map<string, ManifestRow> {
  return new Map(rows.flatMap(row => (row.mcp === null ? [] : [[row.mcp, row] as const])))
}

/**
 * The rows whose tools are to be offered: of these sets, which are the folders of operations, or by a tool's own name. All
 * where nothing is chosen; INPUT_INVALID names what is neither, with the sets there are.
 */
export function selectRows(rows: readonly ManifestRow[], chosen: readonly string[]): readonly ManifestRow[] {
  if (chosen.length === 0) return rows
  const tools = rows.filter(({ mcp }) => mcp !== null)
  const sets = [...new Set(tools.map(setOf))].sort()
  const unknown = chosen.find(name => !sets.includes(name) && !tools.some(({ mcp }) => mcp === name))
  if (unknown !== undefined) {
    throw new EngineError('INPUT_INVALID', `No set of tools and no tool ${JSON.stringify(unknown)}.`, {
      hint: `The sets are ${sets.join(', ')}.`,
    })
  }
  return tools.filter(row => chosen.includes(row.mcp!) || chosen.includes(setOf(row)))
}

function setOf({ id }: ManifestRow): string {
  return id.split('.', 1)[0]!
}

/** The argument that every tool with long answers has besides its operation's. */
const CURSOR = { type: 'string', description: 'a next_cursor' } as const

/**
 * The tool list of the rows (Model Context Protocol, "Tools"), in the manifest's order so that clients can keep it. It stands in a model's
 * context all the time, so nothing is in it that a client derives by itself.
 */
export function listTools(rows: readonly ManifestRow[], schemas: (id: string) => Schemas): Tool[] {
  return [...listToolRows(rows)].map(([name, row]) => {
    const { input, output } = schemas(row.id)
    return {
      name,
      description: row.summary,
      inputSchema: inputSchema(input, output),
      // An output that is not an object has no place in structuredContent.
      ...(output.type === 'object' ? { outputSchema: outline(output) } : {}),
      annotations: annotationsOf(name, row.effect),
    }
  })
}

/** Tools that undo work, although what they do can be undone. */
const UNDOES_WORK = new Set(['rollback_task'])

/** The hints that differ from the protocol's defaults: what is left out counts as destructive and open to the world; reading is neither. */
function annotationsOf(name: string, effect: Effect): ToolAnnotations {
  if (effect === 'read') return { readOnlyHint: true, openWorldHint: false }
  if (effect === 'destroy' || UNDOES_WORK.has(name)) return { openWorldHint: false }
  return { destructiveHint: false, openWorldHint: false }
}

/** The operation's input without what only the command line takes, and with the cursor where answers can take several pages. */
function inputSchema({ properties = {}, ...schema }: JsonSchema, output: JsonSchema): Tool['inputSchema'] {
  const own = Object.entries(properties).filter(([, { description = '' }]) => !description.endsWith(COMMAND_LINE_ONLY))
  const shown = own.map(([name, field]) => [name, shorten(field)] as const)
  const all = isBounded(output) ? shown : [...shown, ['cursor', CURSOR] as const]
  return { ...schema, type: 'object', properties: Object.fromEntries(all) } as Tool['inputSchema']
}

/** A field without what its type says anyway. */
function shorten({ minLength, default: initial, ...field }: JsonSchema): JsonSchema {
  return {
    ...field,
    ...(field.type === 'boolean' && { description: field.description?.replace(/^true or false: /, '') }),
    ...(typeof minLength === 'number' && minLength > 1 && { minLength }),
    ...(initial !== undefined && initial !== false && { default: initial }),
  }
}

/** How a field says that other surfaces refuse it. */
const COMMAND_LINE_ONLY = '; on the command line only'

/** Whether an answer is made of numbers, truth values and short texts, as many as its schema names. */
function isBounded({ properties = {} }: JsonSchema): boolean {
  return Object.values(properties).every(({ type }) => type === 'boolean' || type === 'integer' || type === 'number')
}

/**
 * The fields of an answer with their types and no deeper: whole schemas of answers were two thirds of the list. What is inside a field shows
 * when it comes. None is required, since a page of a long answer has a part of them.
 */
function outline({ properties = {} }: JsonSchema): Tool['inputSchema'] {
  const typed = Object.entries(properties).flatMap(([name, { type }]) => (type === undefined ? [] : [[name, { type }]]))
  return { type: 'object', properties: Object.fromEntries(typed) } as Tool['inputSchema']
}
