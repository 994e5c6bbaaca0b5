import { spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { findProgram, makeTrustedPath } from '../../sources/repository/program-path.ts'

/**
 * Removes a directory with all that is in it. By the system's `rm` where there is one, which takes less than half the processor time of Node.js for a
 * checkout of many files, and none of it from the worker, which has locks to renew.
 */
export async function removeTree(path: string, env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const program = process.platform === 'win32' ? undefined : findProgram('rm', makeTrustedPath(path, env))
  if (program !== undefined) {
    await new Promise<void>(resolve => {
      const child = spawn(program, ['-rf', '--', path], { stdio: 'ignore' })
      child.on('error', () => resolve())
      child.on('close', () => resolve())
    })
  }
  // What is left, if anything is: the error says why.
  await rm(path, { recursive: true, force: true })
}
