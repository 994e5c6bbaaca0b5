import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, type Dirent } from 'node:fs'
import { copyFile, constants as fsConstants, link, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { writeFault } from '../../base/disk/disk.ts'
import { makeFolders } from '../../base/disk/make-folders.ts'
import { readRegular } from '../../base/disk/read.ts'
import { EngineError, toEngineError } from '../../base/errors.ts'
import type { Content, ObjectEntry, ObjectStore } from './objects.ts'
import { writeContent } from './write-content.ts'

/** Files in the making begin so; no listing has them. */
const TEMPORARY = '.tmp-'

/** A temporary file that nobody has written to for a day belongs to a process that was killed. */
const ABANDONED_AFTER_MS = 86_400_000

/** Errors of file systems without hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'])

/** Objects as files of a directory, which may be on NFS or travel as the cache of a CI system: a key is the path. */
export function openFolderObjects(root: string): ObjectStore {
  const locate = (key: string) => join(root, ...key.split('/'))
  return {
    name: root,
    trouble: { retries: 0, failures: 0 },
    async put(key, content, ifAbsent = false) {
      const path = locate(key)
      try {
        if (ifAbsent && (await isThere(path))) return 'exists'
        makeFolders(dirname(path))
        const temporary = join(dirname(path), `${TEMPORARY}${process.pid}-${randomBytes(6).toString('hex')}`)
        try {
          await writeDurably(temporary, content)
          if (!ifAbsent) await rename(temporary, path)
          else if (!(await publishIfAbsent(temporary, path))) return 'exists'
        } finally {
          await rm(temporary, { force: true })
        }
        return 'stored'
      } catch (error) {
        throw toEngineError(writeFault(error, root, path))
      }
    },
    async download(key, path, most) {
      return (await isThere(locate(key))) ? writeContent(createReadStream(locate(key)), path, most) : undefined
    },
    async read(key, most) {
      const content = readRegular(locate(key), most)
      if (content instanceof Uint8Array) return Buffer.from(content)
      if (!(await isThere(locate(key)))) return undefined
      throw new EngineError(
        'STORE_UNREADABLE',
        `${key} cannot be read from the run store: ${content.detail ?? content.reason}.`,
      )
    },
    has: key => isThere(locate(key)),
    list: prefix => listFiles(root, prefix),
    async remove(key) {
      try {
        await rm(locate(key), { force: true })
        await removeEmptyFolders(root, dirname(locate(key)))
      } catch (error) {
        throw toEngineError(writeFault(error, root, locate(key)))
      }
    },
    close: async () => {},
  }
}

/** The file is on the disk, not in a buffer, before anything refers to it. */
async function writeDurably(path: string, content: Content): Promise<void> {
  if (content instanceof Uint8Array) {
    const handle = await open(path, 'wx')
    try {
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    return
  }
  await pipeline(createReadStream(content.path), createWriteStream(path, { flags: 'wx', flush: true }))
}

/** Gives the file its name unless another has it; a link does both in one step, also on NFS. */
async function publishIfAbsent(temporary: string, path: string): Promise<boolean> {
  try {
    await link(temporary, path)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (!NO_LINKS.has(String(code))) throw error
  }
  try {
    // A reader may see a part of it, which no index of files belongs to, and takes the run for one in the making.
    await copyFile(temporary, path, fsConstants.COPYFILE_EXCL)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return false
    throw unreadable(path, error)
  }
}

async function* listFiles(root: string, prefix: string): AsyncGenerator<ObjectEntry> {
  const folder = prefix.includes('/') ? prefix.slice(0, prefix.lastIndexOf('/')) : ''
  yield* walk(root, folder, prefix)
}

async function* walk(root: string, folder: string, prefix: string): AsyncGenerator<ObjectEntry> {
  const place = join(root, ...folder.split('/'))
  // A directory sorts as its keys do: with the slash that follows its name.
  const entries = (await readEntries(place)).map(entry => ({
    entry,
    name: entry.name + (entry.isDirectory() ? '/' : ''),
  }))
  for (const { entry } of entries.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))) {
    const key = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.name.startsWith('.')) {
      await removeAbandoned(place, entry.name)
      continue
    }
    if (entry.isDirectory()) {
      const below = `${key}/`
      if (below.startsWith(prefix) || prefix.startsWith(below)) yield* walk(root, key, prefix)
    } else if (entry.isFile() && key.startsWith(prefix)) {
      const found = await stat(join(place, entry.name)).catch(() => undefined)
      if (found) yield { key, bytes: found.size }
    }
  }
}

async function readEntries(place: string): Promise<Dirent[]> {
  try {
    return await readdir(place, { withFileTypes: true })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw unreadable(place, error)
  }
}

async function removeAbandoned(place: string, name: string): Promise<void> {
  if (!name.startsWith(TEMPORARY)) return
  const path = join(place, name)
  const written = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => Date.now(),
  )
  if (Math.abs(Date.now() - written) > ABANDONED_AFTER_MS) await rm(path, { force: true }).catch(() => {})
}

/** Removes the directories above a removed file that nothing is in any more. */
async function removeEmptyFolders(root: string, from: string): Promise<void> {
  for (let at = from; at.length > root.length; at = dirname(at)) {
    try {
      await rmdir(at)
    } catch {
      return // another run is in it, or was just put there
    }
  }
}

function unreadable(path: string, error: unknown): EngineError {
  const { code } = error as NodeJS.ErrnoException
  return new EngineError('STORE_UNREADABLE', `The run store cannot be read at ${path}: ${code}.`, {
    hint: 'Check the permissions of the directory that fleet.store names.',
    cause: error,
  })
}
