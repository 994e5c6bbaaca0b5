// The contract of the three surfaces as text: what test/contract compares with its committed snapshots.
import { openApiDocument } from '../api/openapi.ts'
import { listCommands } from '../cli/commands.ts'
import { listOptions } from '../cli/options.ts'
import { OPERATIONS } from '../engine/door/operations.gen.ts'
import { loadSchemas } from '../engine/door/schemas.ts'
import { listTools } from '../mcp/tools.ts'

/** The snapshots by the name of their surface; each is test/contract/<name>.snap.json. */
export const CONTRACTS = {
  commands: () => text(listCommands(OPERATIONS).map(commandOf)),
  openapi: () => text(withoutVersion(openApiDocument(OPERATIONS, loadSchemas))),
  tools: () => text(listTools(OPERATIONS, loadSchemas)),
}

type Command = ReturnType<typeof listCommands>[number]

/** A command as a script relies on it: its words, options, values and defaults; not its prose. */
function commandOf(command: Command): unknown {
  const options = listOptions(command, loadSchemas)
    .filter(option => option.key)
    .map(({ key: _, flag, description: __, multiple, required, negatable, choices, ...rest }) => ({
      option: `--${flag}`,
      ...rest,
      ...(choices.length > 0 && { choices }),
      ...(multiple && { multiple }),
      ...(required && { required }),
      ...(negatable && { negatable }),
    }))
  return {
    command: command.name,
    usage: command.row.cli,
    operation: command.row.id,
    effect: command.row.effect,
    options,
  }
}

/** A release alone is no change of the contract. */
function withoutVersion(document: Record<string, unknown>): unknown {
  return { ...document, info: { ...(document.info as object), version: 'the tool version' } }
}

function text(value: unknown): string {
  return `${JSON.stringify(value, null, 1)}\n`
}
