import type { Finding } from '../../base/records/finding.ts'
import type { SourceFile } from '../../base/records/source-file.ts'
import type { OtherFiles } from '../../sources/repository/other-files.ts'
import type { WholeRepository } from '../whole-repository.ts'
import { type CrossFileRequest, type CrossFileResult, ROUNDS } from './follow.ts'
import { MOST_DEPTH } from './includes.ts'
import type { KnownFunctions } from './memory.ts'
import { readText } from './opened.ts'
import { reportFollowed } from './report.ts'
import { CrossFileSearch, MOST_HOPS } from './search.ts'
import { CROSS_FILE_LANGUAGES, listEndings, listExtensions } from './targets.ts'

/** Scanned files whose findings are asked about. */
const MOST_ROOTS = 50

/** So many files are looked at for names before all are listed. */
const FEW = 4

/** Files that are asked about in all, the scanned ones included: a hook waits for this. */
const MOST_FILES = 80

/** Findings of a part of a repository, and where to learn of the functions that the code calls. */
export interface PartRequest extends WholeRepository, Pick<CrossFileRequest, 'rules'> {
  /** The files that were scanned. */
  scanned: readonly SourceFile[]
  /** Findings that functions of other files may disprove. */
  found: readonly Finding[]
  others: OtherFiles
  /** Reads what a scan of the whole repository has kept. */
  openKnown?: () => KnownFunctions
}

/** What becomes of the findings. */
export interface PartResult extends Pick<CrossFileResult, 'gone' | 'surer'> {
  /** Other files that were asked about. */
  files: number
  /** Not all that was passed to functions of other files was followed. */
  isCut: boolean
}

/**
 * Asks functions of other files about findings of a part of a repository: what comes back of the input that they are passed disproves a finding or
 * makes it sure, as in a scan of the whole. Nothing is found that way. Bounded by counts of files.
 */
export async function askOtherFiles(request: PartRequest): Promise<PartResult> {
  const { scanned, found, others, openKnown, limits, signal, ...repository } = request
  const isOwn = ({ language, in_test, class: file_class }: SourceFile) =>
    !in_test && file_class === undefined && language !== null && CROSS_FILE_LANGUAGES.includes(language)
  const asking = new Set(found.map(({ file }) => file))
  const roots = scanned.filter(file => asking.has(file.path) && isOwn(file))
  const asked = roots.slice(0, MOST_ROOTS)
  const contents = new Map<string, Uint8Array>()
  const bring = async (wanted: readonly SourceFile[]) => {
    const missing = wanted.filter(({ path }) => !contents.has(path))
    for (const [path, bytes] of await others.read(missing, limits.max_parse_bytes)) contents.set(path, bytes)
    signal.throwIfAborted()
  }
  await bring(asked)
  const isCut = roots.length > asked.length
  if (!(await mayAsk(request, asked, contents))) return { gone: new Map(), surer: new Map(), files: 0, isCut }
  const listed = await others.list(listExtensions(asked), signal)
  const own = new Set(roots.map(({ path }) => path))
  const files = [...roots, ...listed.filter(file => !own.has(file.path) && isOwn(file))]
  const whole: CrossFileRequest = {
    ...repository,
    limits,
    signal,
    files,
    found,
    contents,
    part: { known: openKnown?.() },
  }
  const search = new CrossFileSearch(whole)
  // What a file includes is asked for where its calls are.
  for (let depth = 0, next = asked; depth < MOST_DEPTH && next.length > 0; depth++) {
    const included = new Set(next.flatMap(file => search.listIncluded(file)))
    next = [...included].filter(({ path, blob }) => blob !== undefined && !contents.has(path)).slice(0, MOST_FILES)
    await bring(next)
  }
  for (const root of asked) if (search.mayCall(root)) await search.open(root)
  const opened = search.seen
  for (let round = 0; round < ROUNDS && search.hasNext; round++) {
    for (let hop = 0; hop < MOST_HOPS && search.hasNext; hop++) {
      const next = search.listNext(MOST_FILES)
      await bring(next)
      await search.enter()
      for (const file of next) search.openGiving(file)
    }
    search.dropNext()
    for (let hop = 0; hop < MOST_HOPS && (await search.spread()); hop++) signal.throwIfAborted()
    await search.settle()
  }
  search.dropNext()
  const { gone, surer } = reportFollowed(whole, search.conclude())
  return { gone, surer, files: search.seen - opened, isCut: isCut || search.left > 0 }
}

/** Whether one of the files names another file of the repository; told by few look-ups where that can be, since a hook waits for this. */
async function mayAsk(
  { others, root, limits, signal }: PartRequest,
  asked: readonly SourceFile[],
  contents: ReadonlyMap<string, Uint8Array>,
): Promise<boolean> {
  if (asked.length > FEW) return true
  for (const file of asked) {
    const text = readText(root, file, limits, contents)?.text
    const endings = text === undefined ? [] : listEndings(file.language!, text)
    const found = endings && (await others.find(endings, signal))
    if (!found || found.some(path => path !== file.path)) return true
  }
  return false
}
