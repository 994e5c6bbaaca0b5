import type { Listing } from '../../base/records/source-file.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { type DriftAnswer, judgeDrift } from '../../review/llm/drift.ts'
import { openModel } from '../../review/llm/open.ts'
import type { LlmFlags, PlannedRequest } from '../../review/llm/session.ts'
import type { Config } from '../../sources/config/load.ts'
import type { Requirement } from '../requirements/model.ts'
import type { LinkedRequirements } from '../trace/gather.ts'
import { groupLinks } from '../trace/links.ts'
import type { Drift, DriftResult, UnknownDrift } from './detect.ts'
import { readCode } from './read-code.ts'

/** A question that a model has answered with "holds"; it verifies nothing by itself. */
export interface HeldDrift extends Omit<UnknownDrift, 'type'> {
  type: 'behavioral' | 'acceptance_criteria'
  confidence: number
}

/** Files of one question at most; of a requirement with more code it is not evaluated. */
const MOST_FILES = 20

export interface AskRequest {
  config: Config
  listing: Pick<Listing, 'root' | 'files'>
  contents?: ReadonlyMap<string, Uint8Array> | undefined
  context: Parameters<typeof openModel>[1]
  /** What the command says about exchanges with the model. */
  flags?: LlmFlags
}

/** Drift after the model was asked. */
export interface AskedDrift extends DriftResult {
  held: HeldDrift[]
  /** In a dry run: the requests that would be sent. */
  planned?: PlannedRequest[]
  /** In a dry run without any: why nothing would be sent. */
  unsent?: string
}

/**
 * Asks the configured model what syntax trees do not tell: whether changed bodies still do what is required, and whether acceptance
 * criteria hold, each with the linked code. A violation with a line that exists becomes drift; "holds" is listed with its lines; all else
 * stays unknown with the reason, so does everything where there is no model. Certain drift is never taken away.
 */
export async function askAboutDrift(
  result: DriftResult,
  { set, resolved }: LinkedRequirements,
  { config, listing, contents, context, flags = {} }: AskRequest,
): Promise<AskedDrift> {
  const asked = result.unknown.filter(isQuestion)
  const plan = (planned: PlannedRequest[], unsent: string) => (flags.dry_run ? { planned, unsent } : {})
  if (asked.length === 0) return { ...result, held: [], ...plan([], 'no question is left to a model') }
  const { session, reason } = openModel(config, context, flags)
  if (session === undefined) {
    const unknown = result.unknown.map(each =>
      isQuestion(each) ? { ...each, reason: `${each.reason} (${reason})` } : each,
    )
    return { ...result, unknown, held: [], ...plan([], reason) }
  }
  const links = groupLinks(resolved.links)
  const answered: Answered = {
    drifts: [...result.drifts],
    held: [],
    unknown: result.unknown.filter(each => !isQuestion(each)),
  }
  await Promise.all(
    asked.map(async question => {
      const requirement = set.byId.get(question.id)!
      const paths = (links.get(question.id) ?? []).flatMap(({ role, file }) => (role === 'implements' ? [file] : []))
      const read = readCode([...new Set(paths)].sort(), listing, config.scan.max_file_bytes, contents)
      const refuse = (why: string) => answered.unknown.push({ ...question, reason: why })
      if ('reason' in read) return refuse(read.reason)
      if (read.files.length > MOST_FILES) return refuse(`more than ${MOST_FILES} files are linked`)
      const answers = await Promise.all(
        wordQuestions(requirement, question.type).map(words =>
          judgeDrift(session, { requirement: words, files: read.files }, config.llm.exclude),
        ),
      )
      for (const [index, answer] of answers.entries()) put(answered, requirement, question, answer, index)
    }),
  )
  const byPlace = (a: { id: string; file: string; line: number }, b: { id: string; file: string; line: number }) =>
    a.id < b.id ? -1 : a.id > b.id ? 1 : a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line
  for (const list of [answered.drifts, answered.held, answered.unknown]) list.sort(byPlace)
  const unsent = [...new Set(answered.unknown.map(({ reason: why }) => why))].join('; ')
  return { ...result, ...answered, ...plan(session.planned, unsent) }
}

interface Answered {
  drifts: Drift[]
  held: HeldDrift[]
  unknown: UnknownDrift[]
}

function put(
  { drifts, held, unknown }: Answered,
  { id, title, confirmed }: Requirement,
  question: Question,
  { verdict, reason, evidence: [at], confidence }: DriftAnswer,
  index: number,
): void {
  const { type } = question
  const words = `${type === 'behavioral' ? '' : `Criterion ${index + 1}: `}${escapeInvisibleLine(reason)}`
  if (verdict === 'unknown' || at === undefined) unknown.push({ ...question, reason: words })
  else if (verdict === 'holds') held.push({ id, type, ...at, reason: words, confidence })
  else drifts.push({ id, title, type, ...at, message: words, confirmed_at: confirmed!.at, confidence })
}

type Question = UnknownDrift & { type: HeldDrift['type'] }

function isQuestion(unknown: UnknownDrift): unknown is Question {
  return unknown.type === 'behavioral' || unknown.type === 'acceptance_criteria'
}

/** One question for what is required as a whole, or one for each criterion. */
function wordQuestions({ title, description = '', acceptance }: Requirement, type: HeldDrift['type']): string[] {
  return type === 'behavioral' ? [[title, description, ...acceptance].join('\n')] : acceptance
}
