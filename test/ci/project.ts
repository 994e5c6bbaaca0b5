import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { ROOT } from '../root.ts'

export const PROGRAM = join(ROOT, 'dist/svc.js')

/** An empty folder, removed after the test. */
export function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'svc-ci-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** A PATH on which `svc` is the built program. */
export function pathWithSvc(): string {
  const bin = folder()
  symlinkSync(PROGRAM, join(bin, 'svc'))
  return `${bin}${delimiter}${process.env.PATH}`
}

/** Runs a script as a CI system does, with nothing in the environment but what is given, PATH and HOME. */
export function bash(script: string, cwd: string, env: Record<string, string>, options = ['-eo', 'pipefail']) {
  const home = folder()
  const { status, stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', ...options, '-c', script], {
    cwd,
    env: { PATH: process.env.PATH!, HOME: home, ...env },
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

/** `name=value` lines, as a runner reads them. */
export function outputsIn(file: string): Record<string, string> {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  return Object.fromEntries(lines.map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
}
