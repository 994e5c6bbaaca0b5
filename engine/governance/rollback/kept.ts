import { lstatSync, readdirSync, readlinkSync, type Stats } from 'node:fs'
import { EngineError } from '../../base/errors.ts'
import { encodePath, parsePathName } from '../../base/text/path-name.ts'
import { runGit } from '../../sources/repository/git.ts'

/** What stands at a path: its bytes by the object that git keeps them in, unfiltered. A folder is never looked into. */
export type Kept =
  | { kind: 'file'; mode: number; id: string }
  | { kind: 'link'; id: string }
  | { kind: 'folder' }
  | { kind: 'absent' }

/**
 * Notes what stands at each path (repository-relative), the very bytes that are on disk. With `write` they become objects
 * of the repository, so that they can be brought back. A path below a symbolic link is absent: it is another file's.
 */
export async function keep(
  root: string,
  paths: readonly string[],
  { write, signal }: { write: boolean; signal: AbortSignal },
): Promise<Record<string, Kept>> {
  const kept: Record<string, Kept> = {}
  const plain: { path: string; name: Buffer; mode: number }[] = []
  const flags = write ? ['-w'] : []
  for (const path of paths) {
    const name = encodePath(path)
    const stat = findStanding(root, name)
    if (!stat) kept[path] = { kind: 'absent' }
    else if (stat.isSymbolicLink()) {
      const input = readlinkSync(resolveBelow(root, name), { encoding: 'buffer' })
      kept[path] = { kind: 'link', id: await idOf(root, [...flags, '--stdin'], { input, signal }) }
    } else if (stat.isFile()) plain.push({ path, name, mode: stat.mode & 0o777 })
    else if (stat.isDirectory()) kept[path] = { kind: 'folder' }
    else
      throw new EngineError('CONFLICT', `${path} is not a file, link or directory, and cannot be saved.`, {
        hint: 'Move it out of the repository first.',
      })
  }
  // One name a line; the few that a line cannot hold go one by one.
  const listed = plain.filter(({ name }) => !name.includes(10) && name[0] !== 34)
  const input = Buffer.concat(listed.flatMap(({ name }) => [name, Buffer.from('\n')]))
  const output =
    listed.length === 0
      ? ''
      : (await runGit(root, ['hash-object', ...flags, '--no-filters', '--stdin-paths'], { input, signal })).toString(
          'latin1',
        )
  const ids = output.split('\n')
  for (const [index, { path, mode }] of listed.entries()) kept[path] = { kind: 'file', mode, id: ids[index]! }
  for (const { path, name, mode } of plain.filter(one => !listed.includes(one))) {
    const { readFileSync } = await import('node:fs')
    const content = readFileSync(resolveBelow(root, name))
    kept[path] = { kind: 'file', mode, id: await idOf(root, [...flags, '--stdin'], { input: content, signal }) }
  }
  return kept
}

/** Whether two notes say the same. */
export function isSame(a: Kept | undefined, b: Kept | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** The folders that are there on the way to these paths, and below them. */
export function listDirectoriesAround(root: string, paths: readonly string[]): string[] {
  const found = new Set<string>()
  for (const path of paths) {
    for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) found.add(path.slice(0, at))
    found.add(path)
  }
  const there = [...found].filter(path => findStanding(root, encodePath(path))?.isDirectory())
  const inside = paths.filter(path => there.includes(path)).flatMap(path => listDirectoriesBelow(root, path))
  return [...new Set([...there, ...inside])].sort()
}

/** The folders below a folder, each before those within it. */
export function listDirectoriesBelow(root: string, path: string): string[] {
  const entries = readdirSync(resolveBelow(root, encodePath(path)), { withFileTypes: true, encoding: 'buffer' })
  return entries
    .filter(entry => entry.isDirectory())
    .flatMap(entry => {
      const name = `${path}/${parsePathName(entry.name).path}`
      return [name, ...listDirectoriesBelow(root, name)]
    })
}

/** What stands at a name, without following a link on the way; undefined for nothing. */
export function findStanding(root: string, name: Buffer): Stats | undefined {
  for (let at = name.indexOf(47); at >= 0; at = name.indexOf(47, at + 1)) {
    const parent = lstatSync(resolveBelow(root, name.subarray(0, at)), { throwIfNoEntry: false })
    if (!parent?.isDirectory()) return undefined
  }
  return lstatSync(resolveBelow(root, name), { throwIfNoEntry: false })
}

/** The system's name of a path below the root. */
export function resolveBelow(root: string, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), name])
}

async function idOf(
  root: string,
  args: readonly string[],
  options: { input: Buffer; signal: AbortSignal },
): Promise<string> {
  return (await runGit(root, ['hash-object', '--no-filters', ...args], options)).toString('latin1').trim()
}
