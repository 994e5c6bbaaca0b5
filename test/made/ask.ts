import { expect } from 'vitest'
import type { Context } from '../../engine/base/context.ts'
import { findFaults } from '../../engine/base/json-schema.ts'
import type { View } from '../../engine/base/text/view.ts'
import { invoke } from '../../engine/door/invoke.ts'
import { OPERATIONS } from '../../engine/door/operations.gen.ts'
import { loadSchemas } from '../../engine/door/schemas.ts'

export interface Asked<O> {
  output: O
  text: string
  notices: string[]
}

/** Invokes an operation as a surface does, and holds its output to the schema it declares. */
export async function ask<O = Record<string, unknown>>(
  id: string,
  input: Record<string, unknown>,
  cwd: string,
  view: Partial<View> = {},
): Promise<Asked<O>> {
  const row = OPERATIONS.find(each => each.id === id)
  if (!row) throw new Error(`no operation ${id}: run npm run generate`)
  const notices: string[] = []
  const context: Context = {
    surface: 'cli',
    cwd,
    env: {},
    signal: new AbortController().signal,
    emit: () => {},
    notice: text => void notices.push(text),
  }
  const { output, operation } = await invoke(row, input, context)
  expect(findFaults(loadSchemas(id).output, output)).toEqual([])
  const plain: View = { verbose: false, quiet: false, width: 100, paint: (_, text) => text, ...view }
  return { output: output as O, text: operation.text(output, plain), notices }
}
