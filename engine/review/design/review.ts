import { relative, resolve, sep } from 'node:path'
import type { Context } from '../../base/context.ts'
import { isInside } from '../../base/disk/project-write.ts'
import { EngineError } from '../../base/errors.ts'
import type { Config } from '../../sources/config/load.ts'
import type { ChangeRequest } from '../../sources/repository/changes.ts'
import { discover } from '../../sources/repository/discover.ts'
import { tryGit } from '../../sources/repository/git.ts'
import { locateOutput } from '../../sources/store/output-directory.ts'
import { MOST_BYTES, makeCodeFile } from '../code/code-file.ts'
import { listMarks } from '../code/marks.ts'
import { type ReviewedChange, readChangedFiles, readText, type Unread } from '../content.ts'
import { isSealed, makeSeal, type SealedFacts } from '../seal.ts'
import { formatNow, readDocument, writeDocument } from '../stored-file.ts'
import type { DesignDecision, FoundDecision } from './decision.ts'
import { findDecisions } from './find.ts'
import { mergeDecisions } from './merge.ts'

/** The file of the decisions in the output directory (spec "Design decision"). */
export const DECISIONS_FILE = 'design_decisions.json'

/** Whether a model has taken part, and why not. */
export interface LlmPart {
  state: 'evaluated' | 'not_evaluated'
  /** Why it was not, or not for everything. */
  reason?: string
  /** Answers that named a file or line that does not exist. */
  dropped: number
  /** A model is configured, and its key or trust is missing. */
  unavailable?: true
}

export interface DecisionsDocument {
  version: 1
  generated_at: string
  /** What was reviewed last, in words. */
  scope: string
  decisions: DesignDecision[]
  unread: Unread[]
  llm: LlmPart
}

/** What a review is asked for: at most one of the three; a change against HEAD without any. */
export interface ReviewRequest {
  file?: string
  git_range?: string
  staged?: boolean
}

/** What a model adds to a review: decisions whose places were verified. */
export type DecisionSource = (
  change: ReviewedChange,
  known: readonly FoundDecision[],
) => Promise<{ decisions: FoundDecision[]; llm: LlmPart }>

export interface Reviewed extends DecisionsDocument {
  /** Files that were reviewed. */
  files: number
  /** Stored decisions whose code is gone. */
  obsolete: number
}

const NO_LLM: LlmPart = { state: 'not_evaluated', reason: 'no LLM provider is configured', dropped: 0 }

/** Reviews a change and stores the decisions, merged with those that are known; with `isDry` nothing is stored. */
export async function reviewDesign(
  request: ReviewRequest,
  config: Config,
  context: Pick<Context, 'cwd' | 'env' | 'signal'>,
  ask?: DecisionSource,
  isDry = false,
): Promise<Reviewed> {
  const { root } = config
  const out = locateOutput(root, context.env, config.output_dir)
  const stored = readStored(root, out, context.env)
  const change = await readReviewed(request, config, context)
  const changed = new Set(change.files.map(({ path }) => path))
  const isWhole = request.file !== undefined
  const elsewhere = (keys: ReadonlySet<string>) =>
    isWhole ? new Set<string>() : findElsewhere(config, changed, keys, context.signal)
  const { decisions: found, unread } = await findDecisions(change.files, elsewhere)
  const { decisions: added, llm } = ask ? await ask(change, found) : { decisions: [], llm: NO_LLM }
  const now = formatNow(context.env)
  const texts = new Map(change.files.map(({ path, after }) => [path, after]))
  const readFile = (path: string) => (texts.has(path) ? texts.get(path) : readPlain(root, path))
  const { decisions, obsolete } = mergeDecisions(stored?.decisions ?? [], [...found, ...added], readFile, now)
  const document: DecisionsDocument = {
    ...{ version: 1, generated_at: now, scope: change.scope, decisions },
    ...{ unread: [...change.unread, ...unread], llm },
  }
  if (!isDry) writeDocument(root, out, DECISIONS_FILE, document)
  return { ...document, files: change.files.length, obsolete }
}

const TEXTS = ['id', 'category', 'kind', 'source', 'summary', 'file', 'symbol', 'evidence', 'code_digest', 'status']

/** What is stored. An acknowledgment that nobody here has sealed is pending: the file can be edited by whoever changes the code. */
function readStored(root: string, out: string, env: Context['env']): DecisionsDocument | undefined {
  const stored = readDocument<DecisionsDocument>(out, DECISIONS_FILE, 'decisions', TEXTS)
  if (stored === undefined) return undefined
  const decisions = stored.decisions.map((each): DesignDecision => {
    if (each.status === 'acknowledged' && isSealed('acknowledged', listFacts(root, each), each.seal, env)) return each
    const { acknowledged_at: _at, acknowledged_by: _by, seal: _seal, ...rest } = each
    return { ...rest, status: 'pending' }
  })
  return { ...stored, decisions }
}

function listFacts(root: string, { id, code_digest, acknowledged_by, acknowledged_at }: DesignDecision): SealedFacts {
  return { root, id, digest: code_digest, by: acknowledged_by, at: acknowledged_at }
}

/** The stored decisions as the files are now; nothing is written. Undefined where no review was made. */
export function readDecisions(
  config: Config,
  env: Context['env'],
): (DecisionsDocument & { obsolete: number }) | undefined {
  const { root } = config
  const stored = readStored(root, locateOutput(root, env, config.output_dir), env)
  if (stored === undefined) return undefined
  const merged = mergeDecisions(stored.decisions, [], path => readPlain(root, path), stored.generated_at)
  return { ...stored, ...merged }
}

/** Acknowledges a decision with a note. NOT_FOUND for an unknown id. */
export function acknowledge(
  { id, note, by }: { id: string; note?: string; by?: string },
  config: Config,
  env: Context['env'],
): DesignDecision {
  const stored = readDecisions(config, env)
  const known = stored?.decisions.find(each => each.id === id)
  if (stored === undefined || known === undefined)
    throw new EngineError('NOT_FOUND', `There is no design decision ${id}.`, {
      hint: 'List the decisions with `svc review-design --pending`.',
    })
  const { changed_since_acknowledgment: _, ...rest } = known
  const unsealed: DesignDecision = {
    ...{ ...rest, status: 'acknowledged', acknowledged_at: formatNow(env) },
    ...(by !== undefined && { acknowledged_by: by }),
    ...(note !== undefined && { note }),
  }
  const acknowledged = { ...unsealed, seal: makeSeal('acknowledged', listFacts(config.root, unsealed), env) }
  const { obsolete: _obsolete, ...document } = stored
  const decisions = stored.decisions.map(each => (each === known ? acknowledged : each))
  writeDocument(config.root, locateOutput(config.root, env, config.output_dir), DECISIONS_FILE, {
    ...document,
    decisions,
  })
  return acknowledged
}

/** What is reviewed: a file whole, or both sides of a change. */
async function readReviewed(
  { file, git_range, staged }: ReviewRequest,
  config: Config,
  { cwd, env, signal }: Pick<Context, 'cwd' | 'env' | 'signal'>,
): Promise<ReviewedChange> {
  if ([file !== undefined, git_range !== undefined, staged === true].filter(Boolean).length > 1)
    throw new EngineError('INPUT_INVALID', 'file, git_range and staged exclude each other.', {
      hint: 'Pass one of them.',
    })
  const { root } = config
  if (file !== undefined) return readWhole(root, cwd, file)
  const inside = await tryGit(root, ['rev-parse', '--is-inside-work-tree'], { signal })
  if (inside.code !== 0)
    throw new EngineError('REPO_NOT_FOUND', 'A change is read from git, and this is no git repository.', {
      hint: 'Review a file with --file.',
    })
  const hasHead = (await tryGit(root, ['rev-parse', '--quiet', '--verify', 'HEAD'], { signal })).code === 0
  const request: ChangeRequest =
    git_range !== undefined ? { git_range } : staged || !hasHead ? { staged: true } : { branch: 'HEAD' }
  const change = await readChangedFiles(root, request, { exclude: config.scan_exclude, env, signal })
  return 'branch' in request ? { ...change, scope: 'uncommitted changes' } : change
}

function readWhole(root: string, cwd: string, named: string): ReviewedChange {
  const absolute = resolve(cwd, named)
  if (!isInside(root, absolute)) throw new EngineError('PATH_ESCAPES', `${named} is outside the project.`)
  const path = relative(root, absolute).split(sep).join('/')
  const text = readText(root, path)
  if (typeof text !== 'string') throw new EngineError('NOT_FOUND', `${named} cannot be read: ${text.reason}.`)
  return { scope: `file ${path}`, files: [{ path, in_test: false, after: text }], unread: [] }
}

/** So many unchanged files are read for what the repository has already; of more, what they have counts as new. */
const MOST_ELSEWHERE = 5000

/** Which of the keys unchanged files have. */
async function findElsewhere(
  config: Config,
  changed: ReadonlySet<string>,
  keys: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Set<string>> {
  const { files } = await discover(config.root, { exclude: config.scan_exclude, signal })
  const found = new Set<string>()
  const others = files.filter(
    ({ path, in_test, language, size }) => !in_test && language !== null && size <= MOST_BYTES && !changed.has(path),
  )
  for (const { path } of others.slice(0, MOST_ELSEWHERE)) {
    signal.throwIfAborted()
    if (found.size === keys.size) break
    const text = readPlain(config.root, path)
    if (text === undefined) continue
    for (const { key } of listMarks(makeCodeFile(path, text))) if (keys.has(key)) found.add(key)
  }
  return found
}

function readPlain(root: string, path: string): string | undefined {
  const text = readText(root, path)
  return typeof text === 'string' ? text : undefined
}
