import type { Tool, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
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

/** The tool list of the rows (Model Context Protocol, "Tools"), in the manifest's order so that clients can keep it. */
export function listTools(rows: readonly ManifestRow[], schemas: (id: string) => Schemas): Tool[] {
  return [...listToolRows(rows)].map(([name, row]) => {
    const { input, output } = schemas(row.id)
    const title = titleOf(name)
    return {
      name,
      title,
      description: row.summary,
      inputSchema: objectSchema(input),
      // An output that is not an object has no place in structuredContent.
      ...(output.type === 'object' ? { outputSchema: outline(output) } : {}),
      annotations: { title, ...annotationsOf(row.effect) },
    }
  })
}

/** `check_code_snippet` → `Check code snippet`. */
function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** All four hints are given: what is left out counts as destructive and open to the world. */
function annotationsOf(effect: Effect): ToolAnnotations {
  return {
    readOnlyHint: effect === 'read',
    destructiveHint: effect === 'destroy',
    idempotentHint: effect === 'read',
    openWorldHint: false,
  }
}

function objectSchema(schema: JsonSchema): Tool['inputSchema'] {
  return { ...schema, type: 'object' } as Tool['inputSchema']
}

/**
 * The fields of an answer with their types and no deeper: the list of tools stands in a model's context all the time, and
 * whole schemas of answers were two thirds of it. What is inside a field shows when it comes.
 */
function outline({ properties = {}, required }: JsonSchema): Tool['inputSchema'] {
  const fields = Object.entries(properties).map(([name, { type }]) => [name, type === undefined ? {} : { type }])
  return {
    type: 'object',
    properties: Object.fromEntries(fields),
    ...(required && { required }),
  } as Tool['inputSchema']
}
