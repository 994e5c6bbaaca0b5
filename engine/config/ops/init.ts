import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type } from 'arktype'
import { EngineError } from '../../errors.ts'
import { defineOperation } from '../../operation.ts'
import { readSettings } from '../../settings-file.ts'
import { withIgnored } from '../ignore-file.ts'
import { CONFIG_PATH, LEGACY_PATH, repositoryRoot } from '../load.ts'
import { MODES, template } from '../template.ts'
import { writeProjectFile } from '../write.ts'

/** What a run of svc leaves behind and nobody should commit. */
const IGNORED = ['.svc/local/', 'out/']
/** The longest .gitignore that is added to. */
const MOST_IGNORE_BYTES = 1 << 20

/** A first configuration at the repository's root, with comments; nothing that is there is overwritten without --force. */
export default defineOperation({
  id: 'config.init',
  summary: 'Create .svc/config.yaml, with comments, for a developer, for compliance work or for CI.',
  effect: 'write',
  action: 'edit_config',
  weakens: ({ force }) => force,
  cli: 'init',
  rest: null,
  mcp: null,
  input: type({
    mode: type
      .enumerated(...MODES)
      .configure({ description: 'developer, compliance (strict profile, long history) or ci' }, 'self')
      .default('developer'),
    force: type('boolean').describe('true to replace a configuration that is there').default(false),
    '+': 'reject',
  }),
  output: type({
    mode: type.enumerated(...MODES),
    created: 'string[]',
    changed: 'string[]',
    next: type({ command: 'string', does: 'string' }).array(),
  }),
  examples: [
    ['svc init', 'write .svc/config.yaml with the defaults explained'],
    ['svc init --mode compliance', 'begin with the strict profile'],
  ],

  run({ mode, force }, context) {
    const root = repositoryRoot(context.cwd)
    const present = [CONFIG_PATH, LEGACY_PATH].find(path => existsSync(join(root, path)))
    if (present === LEGACY_PATH)
      throw new EngineError('CONFLICT', `${LEGACY_PATH} is there already.`, { hint: 'Run `svc migrate` to move it.' })
    if (present && !force)
      throw new EngineError('CONFLICT', `${present} is there already, and is left as it is.`, {
        hint: 'Edit it, or run `svc init --force` to replace it.',
      })
    writeProjectFile(root, CONFIG_PATH, template(mode))
    const created = present ? [] : [CONFIG_PATH]
    const changed = present ? [CONFIG_PATH] : []

    const ignoreFile = join(root, '.gitignore')
    const ignoring = existsSync(ignoreFile)
    if (ignoring || existsSync(join(root, '.git'))) {
      const before = readSettings(root, '.gitignore', { most: MOST_IGNORE_BYTES })?.toString('utf8') ?? ''
      const after = withIgnored(before, IGNORED)
      if (after !== before) {
        writeProjectFile(root, '.gitignore', after)
        ;(ignoring ? changed : created).push('.gitignore')
      }
    }
    return { mode, created, changed, next: NEXT[mode] }
  },

  text: ({ created, changed, next }, { paint }) =>
    [
      ...created.map(path => `${paint('green', 'created')}  ${path}`),
      ...changed.map(path => `${paint('yellow', 'changed')}  ${path}`),
      '',
      'Next:',
      ...next.map(({ command, does }) => `  ${paint('bold', command)}  ${does}`),
    ].join('\n'),
})

const NEXT = {
  developer: [{ command: 'svc scan', does: 'scan the repository; reports go to out/' }],
  compliance: [
    { command: 'svc scan', does: 'scan the repository; reports go to out/' },
    { command: 'svc report --format html', does: 'write the report again from the latest run' },
  ],
  ci: [
    { command: 'svc gate', does: 'the step for your pipeline: exit 0 passes, 1 fails; keep out/ as its artifact' },
    {
      command: 'svc scan --update-baseline',
      does: 'on an old repository: hold back what is there and fail on new findings only',
    },
  ],
}
