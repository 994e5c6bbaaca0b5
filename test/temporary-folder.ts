import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MARKERS, NAMES_AGENT } from '../engine/governance/markers.ts'

/**
 * One folder for all that the tests of a run put into the system's folder for temporary files, taken away at its end: test
 * processes, and the programs they start, inherit the variable.
 *
 * The home is an empty folder in it: what the settings of git say of the user whose machine this is (a folder he trusts, files he
 * ignores everywhere) would otherwise decide what a test sees. So would a variable that tells of a runner or of a coding agent: who
 * starts the tests is no part of what they promise, and a test of an agent sets the variable itself. Certificates of the machine go the
 * same way: no test needs them, and each of the thousands of starts of Node would read them.
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
  delete process.env.NODE_EXTRA_CA_CERTS
  process.env.GIT_CONFIG_NOSYSTEM = '1'
  for (const variable of [...NAMES_AGENT, ...MARKERS.map(({ variable }) => variable)]) delete process.env[variable]
  return () => rmSync(folder, { recursive: true, force: true })
}
