import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type } from 'arktype'
import { EngineError } from '../../base/errors.ts'
import { redactCredentials } from '../../base/text/credentials.ts'
import { defineOperation } from '../../door/operation.ts'
import { openText } from '../../fixes/encoded-text.ts'
import { ProjectFile } from '../../fixes/project-file.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { writeEdits } from '../../supply/fixes/apply.ts'
import { compareRequirement } from '../../supply/fixes/compare.ts'
import { EDITORS } from '../../supply/fixes/editors.ts'

/** One version change that a person or an assistant has chosen (spec "POST /api/vuln-fix"). */
export default defineOperation({
  id: 'supply.vuln-fix',
  summary: 'Change the version of a dependency in a manifest.',
  effect: 'write',
  action: 'add_dependency',
  paths: ({ manifest }) => [manifest],
  cli: null,
  rest: 'POST /api/vuln-fix',
  mcp: null,
  input: type({
    package: type('0 < string <= 500').describe('the name of the package'),
    ecosystem: type('0 < string <= 100').describe(`an ecosystem (${Object.keys(EDITORS).join(', ')})`),
    manifest: type('0 < string <= 4096').describe('the path of the manifest from the project root'),
    version: type(/^v?[0-9][0-9A-Za-z.+_-]{0,127}$/).describe('the version to use, such as 1.2.3'),
    '+': 'reject',
  }),
  output: type({
    manifest: 'string',
    package: 'string',
    from: type('string').describe('the requirement before'),
    to: type('string').describe('the requirement now'),
    applied: type('boolean').describe('whether the file was changed; false if it already had the requirement'),
    lock_command: type('string').describe('the command that renews the lock file'),
  }),

  check(input, { cwd }) {
    plan(input, cwd)
  },

  run(input, { cwd }) {
    const { package: name, manifest } = input
    const { root, edit, editor, wanted } = plan(input, cwd)
    const applied = edit.from !== edit.to
    if (applied) writeEdits(root, manifest, [edit])
    return {
      manifest,
      package: name,
      from: edit.from,
      to: edit.to,
      applied,
      lock_command: editor.lockCommand(new Set(listBeside(root, manifest)), wanted),
    }
  },

  text: ({ manifest, package: name, from, to, applied, lock_command }) =>
    applied
      ? `Changed ${name} in ${manifest}: ${from} → ${to}. Then run: ${lock_command}`
      : `${manifest} already has ${name} ${to}.`,
})

interface Given {
  package: string
  ecosystem: string
  manifest: string
  version: string
}

/** The change of the manifest that is asked for. INPUT_INVALID, NOT_FOUND or CONFLICT where there is none. */
function plan({ package: name, ecosystem, manifest, version }: Given, cwd: string) {
  const known = Object.keys(EDITORS).find(one => one.toLowerCase() === ecosystem.toLowerCase())
  if (known === undefined)
    throw new EngineError('INPUT_INVALID', `svc cannot change manifests of ${JSON.stringify(ecosystem)}.`, {
      hint: `Known: ${Object.keys(EDITORS).join(', ')}.`,
    })
  const editor = EDITORS[known]!.find(({ files }) => files.test(manifest))
  if (!editor) throw new EngineError('INPUT_INVALID', `${manifest} is no manifest of ${known} that svc can change.`)
  const root = findRepositoryRoot(cwd)
  const file = new ProjectFile(root, manifest, { links: false })
  let text: string | undefined
  try {
    text = openText(file.bytes)?.text
  } finally {
    file.close()
  }
  const wanted = { ecosystem: known, name, version: '', to: version }
  const edit = text === undefined ? undefined : editor.edit(text, wanted)
  if (!edit) throw new EngineError('NOT_FOUND', `${manifest} does not declare ${name}.`)
  if ('refusal' in edit) throw new EngineError('CONFLICT', `${manifest}: ${redactCredentials(edit.refusal)}.`)
  const order = compareRequirement(known, edit.from, version)
  if (order !== undefined && order > 0)
    throw new EngineError(
      'CONFLICT',
      `${manifest} has ${name} ${redactCredentials(edit.from)}, which is newer than ${version}.`,
      {
        hint: 'Choose a version that is not older.',
      },
    )
  return { root, edit, editor, wanted }
}

/** Names of the files beside a manifest, and at the root: they tell which package manager is used. */
function listBeside(root: string, manifest: string): string[] {
  return [root, dirname(join(root, manifest))].flatMap(directory => readdirSync(directory))
}
