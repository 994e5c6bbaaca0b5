import type { Context } from './context.ts'
import { check, type JsonSchema } from './input.ts'
import type { ManifestRow, Operation } from './operation.ts'
import { schemasOf } from './schemas.ts'

/** An answered operation: the output, and the operation to render it with. */
export interface Answer {
  output: unknown
  operation: Operation<unknown, unknown>
}

/**
 * The only door to an operation, whatever the surface: checks the input against the manifest's schema (defaults filled
 * in; INPUT_INVALID names every fault), loads the operation and runs it.
 */
export async function invoke(row: ManifestRow, input: unknown, context: Context): Promise<Answer> {
  const schema: JsonSchema = schemasOf(row.id).input
  const checked = check(schema, input)
  const { default: operation } = await row.load()
  const output = await operation.run(checked as never, context)
  return { output, operation: operation as unknown as Operation<unknown, unknown> }
}
