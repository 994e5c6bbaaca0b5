import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const present = new Set<string>()

/** Makes a temporary folder in the system's folder for them; to be removed by `removeTemporary`. */
export function makeTemporaryFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  present.add(folder)
  return folder
}

/** Registers a temporary file or folder that is made elsewhere; to be removed by `removeTemporary`. */
export function registerTemporary(path: string): void {
  present.add(path)
}

/** Removes a temporary file or folder, if it is there. */
export function removeTemporary(path: string): void {
  rmSync(path, { recursive: true, force: true })
  present.delete(path)
}

/** Removes all that are left, for a process that ends in the middle of its work. What the system refuses to remove stays. */
export function removeAllTemporary(): void {
  for (const path of present) {
    try {
      removeTemporary(path)
    } catch {
      // A thread may still write there.
    }
  }
}
