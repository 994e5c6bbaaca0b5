import { git } from './git.ts'
import { type PathName, pathName, systemPath } from './path-name.ts'
import { readRegular } from './read.ts'

/** What .gitattributes say of one file; a file of which they say nothing has no marks. */
export interface Marks {
  generated?: true
  vendored?: true
  encoding?: string
}

const NAMES = ['linguist-generated', 'linguist-vendored', 'working-tree-encoding'] as const
/** git itself reads no attributes file above 100 MB. */
const MOST = 100 * 1024 * 1024
const NAMED = /linguist-generated|linguist-vendored|working-tree-encoding/

/** Whether a file of this path gives attributes. */
export function isAttributesFile(path: string): boolean {
  return path.endsWith('.gitattributes') && (path.length === 14 || path[path.length - 15] === '/')
}

/** Whether the text of an attributes file names an attribute that discovery heeds. */
export function namesMarks(text: string): boolean {
  return NAMED.test(text)
}

/**
 * The folders (repository-relative with a slash at the end, '' for the top) below which git must be asked, given the
 * attributes files of a work tree. Most repositories have none, and then no process is started.
 */
export function markedFolders(folder: string, attributesFiles: readonly PathName[], infoFolder: string): string[] {
  const info = readText(`${infoFolder}/attributes`)
  if (info !== undefined && namesMarks(info)) return ['']
  const folders: string[] = []
  for (const name of attributesFiles) {
    // An attributes file of the index that is not on disk (a sparse checkout) still holds: then git decides.
    const text = readText(systemPath(folder, name))
    if (text === undefined || namesMarks(text)) folders.push(name.path.slice(0, -14))
  }
  return folders.includes('') ? [''] : folders
}

/**
 * Asks git, in one process, for the marks of the files below the given folders.
 * `index` is a prepared index file to take the attributes from, for a repository without a work tree.
 */
export async function readMarks(
  folder: string,
  names: readonly PathName[],
  folders: readonly string[],
  options: { index?: string; signal?: AbortSignal } = {},
): Promise<Map<string, Marks>> {
  const marks = new Map<string, Marks>()
  const asked = folders.includes('')
    ? names
    : names.filter(name => folders.some(prefix => name.path.startsWith(prefix)))
  if (folders.length === 0 || asked.length === 0) return marks
  const output = await git(folder, ['check-attr', '-z', '--stdin', ...(options.index ? ['--cached'] : []), ...NAMES], {
    input: joined(asked),
    signal: options.signal,
    ...(options.index ? { env: { GIT_INDEX_FILE: options.index } } : {}),
  })
  // Three fields a record: path, attribute, value; each ends with a NUL.
  for (let at = 0; at < output.length; ) {
    const pathEnd = output.indexOf(0, at)
    const nameEnd = output.indexOf(0, pathEnd + 1)
    const valueEnd = output.indexOf(0, nameEnd + 1)
    const value = output.toString('latin1', nameEnd + 1, valueEnd)
    if (value !== 'unspecified' && value !== 'unset' && value !== 'false') {
      const { path } = pathName(output.subarray(at, pathEnd))
      const mark = marks.get(path) ?? {}
      set(mark, output.toString('latin1', pathEnd + 1, nameEnd), value)
      marks.set(path, mark)
    }
    at = valueEnd + 1
  }
  return marks
}

function set(mark: Marks, attribute: string, value: string): void {
  if (attribute === 'linguist-generated') mark.generated = true
  else if (attribute === 'linguist-vendored') mark.vendored = true
  else if (value !== 'set' && value !== 'true') mark.encoding = value
}

/** The names as git reads them with -z: each followed by a NUL. */
function joined(names: readonly PathName[]): Buffer {
  if (names.every(name => name.raw === undefined)) return Buffer.from(`${names.map(name => name.path).join('\0')}\0`)
  const end = Buffer.from([0])
  return Buffer.concat(names.flatMap(name => [name.raw ?? Buffer.from(name.path), end]))
}

function readText(path: string | Buffer): string | undefined {
  const bytes = readRegular(path, MOST)
  return bytes instanceof Uint8Array ? Buffer.from(bytes.buffer).toString('latin1') : undefined
}
