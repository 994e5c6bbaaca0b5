import { readRegular } from '../../base/disk/read.ts'
import { type PathName, parsePathName, toSystemPath } from '../../base/text/path-name.ts'
import { computeGitName, runGit } from './git.ts'

/** What .gitattributes say of one file; a file of which they say nothing has no marks. */
export interface Marks {
  generated?: true
  vendored?: true
  encoding?: string
  /** A filter driver stands between the object and the file: the one does not tell what is in the other. */
  filtered?: true
}

const NAMES = ['linguist-generated', 'linguist-vendored', 'working-tree-encoding', 'filter'] as const
/** git itself reads no attributes file above 100 MB. */
const MOST = 100 * 1024 * 1024
const NAMED = /linguist-generated|linguist-vendored|working-tree-encoding|filter/

/** Attributes by which git takes a file for what was added though its bytes are others; macros of them name them too. */
const CONVERTING = /\b(?:text|eol|crlf|ident|working-tree-encoding)\b/

/** Whether a file of this path gives attributes. */
export function isAttributesFile(path: string): boolean {
  return path.endsWith('.gitattributes') && (path.length === 14 || path[path.length - 15] === '/')
}

/** Whether the text of an attributes file names an attribute that discovery heeds. */
export function namesMarks(text: string): boolean {
  return NAMED.test(text)
}

/** Of which files git must be asked. Folders are repository-relative with a slash at the end, '' for the top. */
export interface Asking {
  /** Below these there may be marks. */
  marked: string[]
  /** Below these git cannot be asked: it would wait for the writer of a pipe that stands as an attributes file. */
  blocked: string[]
  /** Some files may be converted when they are added, so that git calls several writings of them the same. */
  converts: boolean
}

/** What to ask where the index gives the attributes: its files, each with git's name of its content, and those that stand so on disk are read there. */
export function listAskingOfIndex(
  folder: string,
  files: readonly { path: string; oid: string }[],
): Omit<Asking, 'converts'> {
  const marked = files.filter(({ path, oid }) => {
    const content = readRegular(`${folder}/${path}`, MOST)
    if (!(content instanceof Uint8Array) || computeGitName(content, oid) !== oid) return true
    return namesMarks(Buffer.from(content.buffer).toString('latin1'))
  })
  return { marked: marked.map(({ path }) => path.slice(0, -14)), blocked: [] }
}

/** What to ask, given the attributes files of a work tree. Most repositories have none that matter: then nothing. */
export function listAsking(folder: string, attributesFiles: readonly PathName[], infoFolder: string): Asking {
  const asking: Asking = { marked: [], blocked: [], converts: false }
  const look = (place: string | Buffer, at: string, absent: 'marked' | undefined) => {
    const content = readRegular(place, MOST)
    if (content instanceof Uint8Array) {
      const text = Buffer.from(content.buffer).toString('latin1')
      if (namesMarks(text)) asking.marked.push(at)
      if (CONVERTING.test(text)) asking.converts = true
    } else if (content.reason === 'special') asking.blocked.push(at)
    else if (absent) {
      asking[absent].push(at)
      asking.converts = true
    }
  }
  look(`${infoFolder}/attributes`, '', undefined)
  // One of the index that is not on disk (a sparse checkout) still holds: then git decides.
  for (const name of attributesFiles) look(toSystemPath(folder, name), name.path.slice(0, -14), 'marked')
  return asking
}

/**
 * Asks git, in one process, for the marks of the files.
 * `index` names the index file to take the attributes from ('' for the repository's own), for a repository without a work tree
 * and for what is staged; else the files on disk give them.
 */
export async function readMarks(
  folder: string,
  names: readonly PathName[],
  { marked, blocked }: Omit<Asking, 'converts'>,
  options: { index?: string; signal?: AbortSignal } = {},
): Promise<Map<string, Marks>> {
  const marks = new Map<string, Marks>()
  const within = (folders: string[], path: string) => folders.some(prefix => path.startsWith(prefix))
  const asked = names.filter(name => within(marked, name.path) && !within(blocked, name.path))
  if (asked.length === 0) return marks
  const output = await runGit(
    folder,
    ['check-attr', '-z', '--stdin', ...(options.index === undefined ? [] : ['--cached']), ...NAMES],
    {
      input: joined(asked),
      signal: options.signal,
      ...(options.index ? { env: { GIT_INDEX_FILE: options.index } } : {}),
    },
  )
  // Three fields a record: path, attribute, value; each ends with a NUL.
  for (let at = 0; at < output.length; ) {
    const pathEnd = output.indexOf(0, at)
    const nameEnd = output.indexOf(0, pathEnd + 1)
    const valueEnd = output.indexOf(0, nameEnd + 1)
    const value = output.toString('latin1', nameEnd + 1, valueEnd)
    if (value !== 'unspecified' && value !== 'unset' && value !== 'false') {
      const { path } = parsePathName(output.subarray(at, pathEnd))
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
  else if (attribute === 'filter') mark.filtered = true
  else if (value !== 'set' && value !== 'true') mark.encoding = value
}

/** The names as git reads them with -z: each followed by a NUL. */
function joined(names: readonly PathName[]): Buffer {
  if (names.every(name => name.raw === undefined)) return Buffer.from(`${names.map(name => name.path).join('\0')}\0`)
  const end = Buffer.from([0])
  return Buffer.concat(names.flatMap(name => [name.raw ?? Buffer.from(name.path), end]))
}
