import type { Run } from '../../base/records/run.ts'
import { replaceLoneSurrogates } from '../../base/text/visible.ts'
import type { Piece, ReportModel } from '../model.ts'
import { countFittingResults, findLeftOut, fitPieces, type LeftOut, sortWorstFirst } from './sarif/fit.ts'
import { GITHUB, type Limits } from './sarif/limits.ts'
import {
  listConfigurationNotifications,
  listExecutionNotifications,
  listNotificationDescriptors,
} from './sarif/notifications.ts'
import { toSarifResult } from './sarif/results.ts'
import { toSarifRule } from './sarif/rules.ts'
import { Taxonomies } from './sarif/taxonomies.ts'

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'

/**
 * SARIF 2.1.0 with errata 01, never larger than code scanning takes. Past 25,000 findings they go on in further runs of
 * the same log, each with its own category. Where that is not enough, the worst findings stay, and the first run's
 * invocation and `model.notice` say what is left out and where it is. What was not looked at is in that invocation too.
 */
export function* renderSarif(model: ReportModel, limits: Limits = GITHUB): Iterable<Piece> {
  const isCountable = model.findings.length <= limits.runs * limits.results && model.rules.size <= limits.rules
  const whole = isCountable ? fitPieces(() => new Log(model, limits).pieces(), limits) : undefined
  if (whole) {
    yield* whole
    return
  }
  const worst = sortWorstFirst(model, limits)
  // Its figures have as many digits as those of the sentence that will stand there.
  const trial = new Log(worst, limits, findLeftOut(model, [], limits))
  const fitting = countFittingResults(trial.results(), part => trial.head(part), limits)
  const kept = worst.findings.slice(0, fitting)
  const omitted = findLeftOut(model, kept, limits)
  model.notice?.(omitted.text)
  yield* new Log({ ...worst, findings: kept }, limits, omitted).pieces()
}

/** Where the rules go, whose text may have been kept. */
const NO_RULES = '"rules":[]'

/** The text of a log: a head for each run, and its results. */
class Log {
  readonly #model: ReportModel
  readonly #limits: Limits
  readonly #omitted: LeftOut | undefined
  readonly #taxonomies: Taxonomies
  readonly #index: ReadonlyMap<string, number>
  readonly #hasBaseline: boolean

  /** Where something is left out, places in notifications are shortened too. */
  constructor(model: ReportModel, limits: Limits, omitted?: LeftOut) {
    this.#model = model
    this.#limits = limits
    this.#omitted = omitted
    this.#taxonomies = new Taxonomies(model)
    this.#index = new Map([...model.rules.keys()].map((id, position) => [id, position]))
    this.#hasBaseline = model.findings.some(finding => finding.status === 'baseline')
  }

  *pieces(): Iterable<Piece> {
    yield `{"$schema":"${SCHEMA}","version":"2.1.0","runs":[\n`
    let count = 0
    for (const result of this.results()) {
      const at = count++ % this.#limits.results
      if (at === 0) {
        if (count > 1) yield '\n]},\n'
        yield* this.head((count - 1) / this.#limits.results)
      }
      yield `${at === 0 ? '\n' : ',\n'}${result}`
    }
    if (count === 0) yield* this.head(0)
    yield '\n]}\n]}\n'
  }

  *results(): Iterable<string> {
    for (const finding of this.#model.findings) {
      const index = this.#index.get(finding.rule_id)!
      yield JSON.stringify(toSarifResult(finding, index, this.#taxonomies, this.#hasBaseline))
    }
  }

  /** A run up to its first result. */
  *head(part: number): Iterable<Piece> {
    const run = JSON.stringify(this.#run(part))
    // The first is the driver's own: what stands before it is the name of the program and its version.
    const at = run.indexOf(NO_RULES)
    yield `${run.slice(0, at)}"rules":`
    yield this.#rules()
    yield `${run.slice(at + NO_RULES.length, -1)},"results":[`
  }

  #rules(): Piece {
    const { rules, texts } = this.#model
    const make = () => JSON.stringify([...rules.values()].map(rule => toSarifRule(rule, this.#taxonomies)))
    return texts ? texts('sarif-rules', JSON.stringify(this.#taxonomies.components), make) : make()
  }

  #run(part: number): unknown {
    const { run } = this.#model
    const provenance = provenanceOf(run)
    return {
      tool: {
        driver: {
          name: 'svc',
          version: run.tool_version,
          ...(/^\d+\.\d+\.\d+/.test(run.tool_version) && { semanticVersion: run.tool_version }),
          rules: [],
          notifications: part === 0 ? listNotificationDescriptors(run, this.#omitted !== undefined) : [],
          supportedTaxonomies: this.#taxonomies.references,
        },
      },
      automationDetails: { id: `svc${part === 0 ? '' : `-${part + 1}`}/${replaceLoneSurrogates(run.id)}` },
      invocations: [
        {
          executionSuccessful: true,
          startTimeUtc: run.started_at,
          endTimeUtc: run.finished_at,
          ...(part === 0 && {
            toolExecutionNotifications: listExecutionNotifications(run, this.#index, this.#omitted),
            toolConfigurationNotifications: listConfigurationNotifications(run, this.#omitted !== undefined),
          }),
        },
      ],
      ...(provenance && { versionControlProvenance: [provenance] }),
      originalUriBaseIds: { '%SRCROOT%': { description: { text: 'The root of the scanned repository.' } } },
      columnKind: 'utf16CodeUnits',
      taxonomies: this.#taxonomies.components,
      properties: {
        scope: replaceLoneSurrogates(run.scope),
        packs: run.packs.map(pack => ({ id: pack.id, version: pack.version })),
        files: run.counts.files,
        files_skipped: run.skipped.length,
        ...(run.rating !== undefined && { rating: run.rating }),
        ...(run.score !== undefined && { score: run.score }),
        ...(run.agent && { agent: replaceLoneSurrogates(run.agent) }),
      },
    }
  }
}

/** The standard wants an address of the repository; a run knows its name only, so a URN carries it. */
function provenanceOf(run: Run): object | undefined {
  if (!run.git_sha) return undefined
  return {
    repositoryUri: `urn:svc:repository:${encodeURIComponent(replaceLoneSurrogates(run.root_name)) || 'unnamed'}`,
    revisionId: run.git_sha,
    ...(run.branch && { branch: replaceLoneSurrogates(run.branch) }),
    mappedTo: { uriBaseId: '%SRCROOT%' },
  }
}
