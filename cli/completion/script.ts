import type { Schemas } from '../../engine/door/schemas.ts'
import type { Command } from '../commands.ts'
import { findTextSchema, listOptions, takesPath } from '../options.ts'
import { writeBashScript } from './bash.ts'
import { writeFishScript } from './fish.ts'
import type { Shell } from './row.ts'
import type { CommandWords, Value } from './words.ts'
import { writeZshScript } from './zsh.ts'

/** A script that completes commands, sub-commands, options, the words an option takes, and paths. It stands alone: it starts no program. */
export function writeCompletionScript(
  shell: Shell,
  { commands, schemas }: { commands: readonly Command[]; schemas: (id: string) => Schemas },
): string {
  const words = commands.map(command => wordsOf(command, schemas))
  return { bash: writeBashScript, zsh: writeZshScript, fish: writeFishScript }[shell](words)
}

function wordsOf(command: Command, schemas: (id: string) => Schemas): CommandWords {
  const { properties = {} } = schemas(command.row.id).input
  const options = listOptions(command, schemas).flatMap(
    ({ flag, short, description, multiple, type, choices, key, negatable }) => {
      const value: Value | undefined =
        type === 'boolean' ? undefined : choices.length > 0 ? choices : takesPath(key ?? '') ? 'path' : 'text'
      const option = {
        long: `--${flag}`,
        ...(short && { short: `-${short}` }),
        description,
        multiple,
        ...(value && { value }),
      }
      return negatable
        ? [option, { long: `--no-${flag}`, description: `not: ${description}`, multiple: false }]
        : [option]
    },
  )
  const positionals = command.positionals.map(({ key }) => {
    const choices = findTextSchema(properties[key])?.enum
    return { name: key, value: choices?.map(String) ?? (takesPath(key) ? 'path' : 'text') } as const
  })
  return { name: command.name, summary: command.row.summary, options, positionals }
}
