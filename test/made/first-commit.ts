import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { write } from './folder.ts'

type Files = Record<string, string | Uint8Array>
type Git = (folder: string, ...args: string[]) => unknown

/** Repositories by what is in them: undefined where one was made, a folder where it was asked for again and is kept to be copied. */
const known = new Map<string, string | undefined>()

/**
 * Makes of a folder a git repository with one commit of these files, with the given git and arguments of `git init`. Tests of a file
 * mostly begin with the same one: it is made anew once more to be kept, and from then on copied, which starts one process in place of three.
 */
export function commitFirst(folder: string, files: Files, git: Git, init: readonly string[]): void {
  const key = digest(files, init)
  if (!known.has(key) || readdirSync(folder).length > 0) {
    make(folder, files, git, init)
    if (!known.has(key)) known.set(key, undefined)
    return
  }
  let model = known.get(key)
  if (model === undefined) {
    // In the folder that is removed at the end of the run (test/temporary-folder.ts).
    model = mkdtempSync(join(tmpdir(), 'svc-model-'))
    make(model, files, git, init)
    known.set(key, model)
  }
  cpSync(model, folder, { recursive: true, verbatimSymlinks: true })
  // The index has the times of the files that it was written for; git would take the copies for changed until it had read them.
  git(folder, 'update-index', '-q', '--refresh')
}

function make(folder: string, files: Files, git: Git, init: readonly string[]): void {
  git(folder, 'init', '-q', ...init)
  write(folder, files)
  git(folder, 'add', '-A')
  // git would start itself once more to see whether the repository needs tidying.
  git(folder, '-c', 'maintenance.auto=false', 'commit', '-q', '--allow-empty', '-m', 'first')
}

function digest(files: Files, init: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(init))
  for (const [path, content] of Object.entries(files).sort()) {
    hash.update(`\0${path}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}
