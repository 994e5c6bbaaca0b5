import type { Tool, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import type { JsonSchema } from '../engine/input.ts'
import type { Effect, ManifestRow } from '../engine/operation.ts'
import type { Schemas } from '../engine/schemas.ts'

/** The rows that are tools, by their name. */
export function toolRows(rows: readonly ManifestRow[]): Map<string, ManifestRow> {
  return new Map(rows.flatMap(row => (row.mcp === null ? [] : [[row.mcp, row] as const])))
}

/** The tool list of the rows (Model Context Protocol, "Tools"), in the manifest's order so that clients can keep it. */
export function toolList(rows: readonly ManifestRow[], schemas: (id: string) => Schemas): Tool[] {
  return [...toolRows(rows)].map(([name, row]) => {
    const { input, output } = schemas(row.id)
    const title = titleOf(name)
    return {
      name,
      title,
      description: row.summary,
      inputSchema: objectSchema(input),
      // An output that is not an object has no place in structuredContent.
      ...(output.type === 'object' ? { outputSchema: objectSchema(output) } : {}),
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
