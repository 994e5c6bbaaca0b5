import type { Context } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import type { Config } from '../../sources/config/load.ts'
import { locateOutput } from '../../sources/store/output-directory.ts'
import { readText, type Unread } from '../content.ts'
import type { LlmPart } from '../design/review.ts'
import { isSealed, makeSeal, type SealedFacts } from '../seal.ts'
import { formatNow, readDocument, writeDocument } from '../stored-file.ts'
import { type BearingFinding, countFindings, listBearing } from './bearing.ts'
import { deriveThreats } from './derive.ts'
import { readKnowledge } from './knowledge.ts'
import { mergeThreats } from './merge.ts'
import type { DataFlowModel, FoundThreat, Stride, Threat } from './model.ts'
import { refreshQuoted } from './quoted.ts'
import { readModel } from './read-model.ts'

/** The file of the threat model in the output directory (spec "Threat (STRIDE)"). */
export const THREATS_FILE = 'threat_model.json'

export interface ThreatDocument {
  version: 1
  generated_at: string
  model: DataFlowModel
  threats: Threat[]
  unread: Unread[]
  /** The scan that findings come from; null where there is none: findings are unknown then. */
  run_id: string | null
  llm: LlmPart
  /** Open findings by category of STRIDE; absent without a scan and in files of older versions: unknown, not none. */
  finding_counts?: Record<Stride, number>
  /** Open findings that bear on a category, the most severe first. */
  findings?: BearingFinding[]
}

/** What a model of language adds to a threat model: threats whose elements and lines were verified. */
export type ThreatSource = (
  model: DataFlowModel,
  known: readonly FoundThreat[],
) => Promise<{ threats: FoundThreat[]; llm: LlmPart }>

const NO_LLM: LlmPart = { state: 'not_evaluated', reason: 'no LLM provider is configured', dropped: 0 }

/** Builds the data-flow model of the repository, derives its threats, and stores both with what is known of mitigations; with `isDry` nothing is stored. */
export async function assessThreats(
  config: Config,
  context: Pick<Context, 'cwd' | 'env' | 'signal' | 'emit' | 'notice'>,
  ask?: ThreatSource,
  isDry = false,
): Promise<ThreatDocument> {
  const { root } = config
  const out = locateOutput(root, context.env, config.output_dir)
  const stored = readStored(root, out, context.env)
  const { model, unread } = await readModel(config, context.signal, (done, total) =>
    context.emit({ type: 'progress', progress: { phase: 'model', done, total, bytes: 0, findings: 0 } }),
  )
  const knowledge = await readKnowledge(context)
  const found = deriveThreats(model, knowledge)
  const { threats: added, llm } = ask ? await ask(model, found) : { threats: [], llm: NO_LLM }
  const elements = new Set([...model.elements, ...model.flows].map(({ id }) => id))
  const keep = new Set<Threat['source']>(['import', 'llm'])
  const now = formatNow(context.env)
  const threats = mergeThreats(stored?.threats ?? [], [...found, ...added], elements, keep, now, threat =>
    refreshQuoted(threat, model, path => {
      const text = readText(root, path)
      return typeof text === 'string' ? text : undefined
    }),
  )
  const document: ThreatDocument = {
    version: 1,
    generated_at: now,
    model,
    threats,
    unread,
    run_id: knowledge.run_id,
    llm,
    ...(knowledge.run_id !== null && { finding_counts: countFindings(knowledge.findings) }),
    findings: listBearing(knowledge.findings, threats),
  }
  if (!isDry) writeDocument(root, out, THREATS_FILE, document)
  return document
}

const TEXTS = ['id', 'stride', 'source', 'element', 'title', 'severity', 'likelihood', 'status', 'digest']

/** What is stored. A mitigation that nobody here has sealed is pending: the file can be edited by whoever changes the code. */
function readStored(root: string, out: string, env: Context['env']): ThreatDocument | undefined {
  const stored = readDocument<ThreatDocument>(out, THREATS_FILE, 'threats', TEXTS)
  if (stored === undefined) return undefined
  const threats = stored.threats.map((each): Threat => {
    if (each.status === 'mitigated' && isSealed('mitigated', listFacts(root, each), each.seal, env)) return each
    const { mitigated_at: _at, mitigated_by: _by, seal: _seal, ...rest } = each
    return { ...rest, status: 'pending' }
  })
  return { ...stored, threats }
}

function listFacts(root: string, { id, digest, mitigated_by, mitigated_at }: Threat): SealedFacts {
  return { root, id, digest, by: mitigated_by, at: mitigated_at }
}

/** Seals the mitigations that a user has just noted or imported; those that were read have their seals. */
export function sealMitigations(document: ThreatDocument, root: string, env: Context['env']): ThreatDocument {
  const threats = document.threats.map(each =>
    each.status === 'mitigated' && each.seal === undefined
      ? { ...each, seal: makeSeal('mitigated', listFacts(root, each), env) }
      : each,
  )
  return { ...document, threats }
}

/** The stored threat model; undefined where none was made. */
export function readThreats(config: Config, env: Context['env']): ThreatDocument | undefined {
  const document = readStored(config.root, locateOutput(config.root, env, config.output_dir), env)
  if (document !== undefined && !Array.isArray(document.model?.elements))
    throw new EngineError('INPUT_INVALID', `${THREATS_FILE} in the output directory has no model.`, {
      hint: 'Delete it and run `svc threat-model`: then every threat is pending again.',
    })
  return document
}

/** Notes that a threat is mitigated. NOT_FOUND for an unknown id. */
export function mitigate(
  { id, note, by }: { id: string; note?: string; by?: string },
  config: Config,
  env: Context['env'],
): ThreatDocument {
  const stored = readThreats(config, env)
  const known = stored?.threats.find(threat => threat.id === id)
  if (stored === undefined || known === undefined)
    throw new EngineError('NOT_FOUND', `There is no threat ${id}.`, {
      hint: 'List the threats with `svc threat-model --pending`.',
    })
  const { changed_since_mitigation: _, seal: _seal, ...rest } = known
  const mitigated: Threat = {
    ...{ ...rest, status: 'mitigated', mitigated_at: formatNow(env) },
    ...(by !== undefined && { mitigated_by: by }),
    ...(note !== undefined && { mitigation_note: note }),
  }
  const threats = stored.threats.map(threat => (threat === known ? mitigated : threat))
  const document = sealMitigations({ ...stored, threats }, config.root, env)
  writeDocument(config.root, locateOutput(config.root, env, config.output_dir), THREATS_FILE, document)
  return document
}
