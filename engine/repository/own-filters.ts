import { isUtf8 } from 'node:buffer'
import { EngineError } from '../errors.ts'
import { readRegular } from './read.ts'

/** Scopes of git's configuration that belong to the repository, and so to whoever made it. */
const OWN = new Set(['local', 'worktree'])

/**
 * Environment in which git runs none of the filters that the repository's own configuration names (`filter.<driver>.clean`,
 * `process`). git starts them to compare files, and they may be any program. Those of the user, such as Git LFS, stay.
 * `ask` runs git in the folder. REPO_UNREADABLE for a name that no environment can carry.
 */
export async function withoutOwnFilters(
  folder: string,
  ask: (args: readonly string[]) => Promise<{ stdout: Buffer }>,
): Promise<Record<string, string>> {
  if (!mayName(folder)) return {}
  const keys = String.raw`^filter\..*\.(clean|process)$`
  const { stdout } = await ask(['config', '--show-scope', '--name-only', '-z', '--get-regexp', keys])
  if (!isUtf8(stdout))
    throw new EngineError(
      'REPO_UNREADABLE',
      'The configuration of the repository names a filter in other letters than UTF-8.',
      {
        hint: 'Take the filter out of .git/config.',
      },
    )
  const fields = stdout.toString('utf8').split('\0')
  const drivers = new Set<string>()
  for (let at = 0; at + 1 < fields.length; at += 2)
    if (OWN.has(fields[at]!)) drivers.add(fields[at + 1]!.replace(/\.(?:clean|process)$/, ''))
  const env: Record<string, string> = {}
  let count = Number(process.env.GIT_CONFIG_COUNT) || 0
  for (const driver of drivers) {
    for (const [key, value] of [
      ['clean', ''],
      ['process', ''],
      ['required', 'false'],
    ]) {
      env[`GIT_CONFIG_KEY_${count}`] = `${driver}.${key}`
      env[`GIT_CONFIG_VALUE_${count}`] = value!
      count++
    }
  }
  return drivers.size > 0 ? { ...env, GIT_CONFIG_COUNT: String(count) } : {}
}

/** Whether the repository's configuration could name a filter: most say nothing of any, and git need not be asked. */
function mayName(folder: string): boolean {
  const config = readRegular(`${folder}/.git/config`, 1 << 20)
  return (
    !(config instanceof Uint8Array) || /filter|include|worktreeconfig/i.test(Buffer.from(config).toString('latin1'))
  )
}
