import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Context } from '../base/context.ts'
import { isFolder } from '../base/disk/output-file.ts'
import { readNamedSettings } from '../base/disk/settings-file.ts'
import { EngineError } from '../base/errors.ts'
import type { ChangeRequest } from '../sources/repository/changes.ts'
import type { ScanInput } from './perform.ts'

/** The largest patch that is read from a file. */
const MAX_PATCH_BYTES = 256 << 20

/** The change that the input means to judge; undefined where it means none. */
export async function readChangeRequest(
  { staged, git_range, diff, branch }: ScanInput,
  context: Context,
): Promise<ChangeRequest | undefined> {
  if (staged) return { staged }
  if (git_range !== undefined) return { git_range }
  if (branch !== undefined) return { branch }
  return diff === undefined ? undefined : { diff: await patchText(diff, context) }
}

/** The patch itself where it has lines, standard input for `-`, else the file of that name. */
async function patchText(diff: string, { cwd, readStdin, surface }: Context): Promise<string> {
  if (diff.includes('\n')) return diff
  if (diff === '-' && readStdin) return readStdin()
  const file = resolve(cwd, diff)
  if (surface === 'cli' && existsSync(file) && !isFolder(file))
    return readNamedSettings(file, diff, { most: MAX_PATCH_BYTES, code: 'INPUT_INVALID' })?.toString('utf8') ?? ''
  throw new EngineError('NOT_FOUND', `diff: patch file ${JSON.stringify(diff)} not found.`, {
    hint: 'Pass a file, or - and the patch on standard input.',
  })
}
