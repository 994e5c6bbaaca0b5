import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

/** A plain folder with these files, gone after the test. */
export function folder(files: Record<string, string | Uint8Array> = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-folder-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  write(root, files)
  return root
}

/** A temporary folder that is removed when the tests of the file are done; its path has no symbolic links. */
export function ground(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-ground-')))
  afterAll(() => rmSync(root, { recursive: true, force: true }))
  return root
}

/** Writes files below the folder, by path. */
export function write(root: string, files: Record<string, string | Uint8Array>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
}
