import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * One folder for all that the tests of a run put into the system's folder for temporary files, taken away at its end: test
 * processes, and the programs they start, inherit the variable.
 *
 * The home is an empty folder in it: what the settings of git say of the user whose machine this is (a folder he trusts, files he
 * ignores everywhere) would otherwise decide what a test sees.
 */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'svc-test-'))
  // Tests of what another user may not read start programs as one, who has to come as far as their folders.
  chmodSync(folder, 0o755)
  process.env.TMPDIR = folder
  process.env.HOME = join(folder, 'home')
  mkdirSync(process.env.HOME)
  delete process.env.XDG_CONFIG_HOME
  delete process.env.GIT_CONFIG_GLOBAL
  process.env.GIT_CONFIG_NOSYSTEM = '1'
  return () => rmSync(folder, { recursive: true, force: true })
}
