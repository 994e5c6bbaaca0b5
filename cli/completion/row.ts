import type { ManifestRow } from '../../engine/door/operation.ts'
import type { Schemas } from '../../engine/door/schemas.ts'
import type { Command } from '../commands.ts'

/** The shells that a script is offered for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** Input and output of the completion command. */
export const COMPLETION_SCHEMAS: Schemas = {
  input: {
    type: 'object',
    properties: { shell: { enum: [...SHELLS], description: 'bash, zsh or fish' } },
    required: ['shell'],
    additionalProperties: false,
  },
  output: { type: 'object', properties: { shell: { type: 'string' }, script: { type: 'string' } } },
}

/**
 * The row of `svc completion`, the one command that is no operation: a script is about the command line alone, and no
 * operation may know the manifest.
 */
export function makeCompletionRow(
  program: () => { commands: Command[]; schemas: (id: string) => Schemas },
): ManifestRow {
  return {
    id: 'shell.completion',
    summary: 'Print the completion script of a shell.',
    effect: 'read',
    cli: 'completion <shell>',
    rest: null,
    mcp: null,
    short: {},
    examples: [
      ['source <(svc completion bash)', 'enable completion in this shell; add it to ~/.bashrc to keep it'],
      ['svc completion zsh > ~/.zfunc/_svc', 'install for zsh, where ~/.zfunc is in fpath'],
      ['svc completion fish > ~/.config/fish/completions/svc.fish', 'install for fish'],
    ],
    streams: false,
    resident: false,
    raw: false,
    async load() {
      const { writeCompletionScript } = await import('./script.ts')
      const operation = {
        run: ({ shell }: { shell: Shell }) => ({ shell, script: writeCompletionScript(shell, program()) }),
        text: ({ script }: { script: string }) => script,
      }
      return { default: operation as never }
    },
  }
}
