import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * One folder for all that the tests of a run put into the system's folder for temporary files, taken away at its end: test
 * processes, and the programs they start, inherit the variable.
 */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'svc-test-'))
  // Tests of what another user may not read start programs as one, who has to come as far as their folders.
  chmodSync(folder, 0o755)
  process.env.TMPDIR = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
