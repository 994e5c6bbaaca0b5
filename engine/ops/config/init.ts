import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type } from 'arktype'
import type { Context } from '../../base/context.ts'
import { writeProjectFile } from '../../base/disk/project-write.ts'
import { readSettings } from '../../base/disk/settings-file.ts'
import { EngineError } from '../../base/errors.ts'
import { defineOperation } from '../../door/operation.ts'
import { addIgnored } from '../../sources/config/ignore-file.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { CONFIG_PATH, LEGACY_PATH } from '../../sources/config/paths.ts'
import { MODES, type Mode, makeTemplate } from '../../sources/config/template.ts'
import { isOutputPath } from '../../sources/config/validate.ts'
import { DEFAULT_OUTPUT, isOwnOutput } from '../../sources/repository/own-output.ts'
import { formatOutput, OUTPUT_VARIABLE } from '../../sources/store/output-directory.ts'

/** The output directory where `out` holds files of the project's own. */
const FREE_OUTPUT = 'svc-out'
/** The longest .gitignore that is added to. */
const MOST_IGNORE_BYTES = 1 << 20

/** A first configuration at the repository's root, with comments; nothing that is there is overwritten without --force. */
export default defineOperation({
  id: 'config.init',
  summary: 'Create a commented .svc/config.yaml for development, compliance or CI.',
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
    force: type('boolean').describe('true to replace an existing configuration').default(false),
    '+': 'reject',
  }),
  output: type({
    mode: type.enumerated(...MODES),
    created: 'string[]',
    changed: 'string[]',
    output_dir: type('string').describe('a directory for runs and reports'),
    next: type({ command: 'string', does: 'string' }).array(),
  }),
  examples: [
    ['svc init', 'write .svc/config.yaml with the defaults explained'],
    ['svc init --mode compliance', 'start with the strict profile'],
  ],

  check: ({ force }, { cwd }) => {
    findPresent(findRepositoryRoot(cwd), force)
  },

  run({ mode, force }, context) {
    const root = findRepositoryRoot(context.cwd)
    const present = findPresent(root, force)
    const out = chooseOutput(root, context.env)
    writeProjectFile(root, CONFIG_PATH, makeTemplate(mode, out))
    const created = present ? [] : [CONFIG_PATH]
    const changed = present ? [CONFIG_PATH] : []

    const ignoreFile = join(root, '.gitignore')
    const ignoring = existsSync(ignoreFile)
    if (ignoring || existsSync(join(root, '.git'))) {
      const before = readSettings(root, '.gitignore', { most: MOST_IGNORE_BYTES })?.toString('utf8') ?? ''
      const after = addIgnored(before, ['.svc/local/', `${out}/`])
      if (after !== before) {
        writeProjectFile(root, '.gitignore', after)
        ;(ignoring ? changed : created).push('.gitignore')
      }
    }
    const given = context.env[OUTPUT_VARIABLE]
    const shown = given ? formatOutput(root, resolve(root, given)) : out
    return { mode, created, changed, output_dir: shown, next: nextSteps(mode, shown, existsSync(join(root, '.git'))) }
  },

  text: ({ created, changed, output_dir, next }, { paint }) =>
    [
      ...created.map(path => `${paint('green', 'created')}  ${path}`),
      ...changed.map(path => `${paint('yellow', 'changed')}  ${path}`),
      ...(output_dir === FREE_OUTPUT
        ? [`Runs and reports go to ${output_dir}/ (output_dir): ${DEFAULT_OUTPUT}/ contains files of the project.`]
        : []),
      '',
      'Next:',
      ...next.map(({ command, does }) => `  ${paint('bold', command)}  ${does}`),
    ].join('\n'),
})

/** The configuration that is there and is to be replaced; CONFLICT where it is not. */
function findPresent(root: string, force: boolean): string | undefined {
  const present = [CONFIG_PATH, LEGACY_PATH].find(path => existsSync(join(root, path)))
  if (present === LEGACY_PATH)
    throw new EngineError('CONFLICT', `${LEGACY_PATH} is there already.`, { hint: 'Run `svc migrate` to move it.' })
  if (present && !force)
    throw new EngineError('CONFLICT', `${present} exists already and stays unchanged.`, {
      hint: 'Edit it, or run `svc init --force` to replace it.',
    })
  return present
}

/** The output directory for the configuration: the one that this invocation names in the repository, else `out` where that is free. */
function chooseOutput(root: string, env: Context['env']): string {
  const given = env[OUTPUT_VARIABLE]
  if (given) {
    const shown = formatOutput(root, resolve(root, given))
    if (isOutputPath(shown)) return shown
  }
  return isOwnOutput(join(root, DEFAULT_OUTPUT)) ? DEFAULT_OUTPUT : FREE_OUTPUT
}

/** What comes after the configuration, with the names of the files that are to be committed with it. */
function nextSteps(mode: Mode, out: string, isGit: boolean): { command: string; does: string }[] {
  const scan = { command: 'svc scan', does: `scan the repository; reports go to ${out}/` }
  const baseline = {
    command: 'svc scan --update-baseline',
    does: 'where it has findings already: add them to the baseline, so that the gate fails on new ones only',
  }
  const commit = isGit ? [{ command: 'git add .svc .gitignore', does: 'commit the settings and the baseline' }] : []
  const gate = {
    command: 'svc gate',
    does: `the step for your pipeline: exit 0 passes, 1 fails; store ${out}/ as its artifact`,
  }
  if (mode === 'ci') return [baseline, ...commit, gate]
  const hook = isGit ? [{ command: 'svc hook install', does: 'check each commit from now on' }] : []
  if (mode === 'developer') return [scan, baseline, ...commit, ...hook]
  return [scan, { command: 'svc report --format html', does: 'write the report again from the latest run' }, ...commit]
}
