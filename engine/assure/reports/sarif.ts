import type { Run } from '../../scan/run.ts'
import type { ReportModel } from '../model.ts'
import { wellFormed } from '../text.ts'
import { configurationNotifications, executionNotifications, notificationDescriptors } from './sarif/notifications.ts'
import { sarifResult } from './sarif/results.ts'
import { sarifRule } from './sarif/rules.ts'
import { Taxonomies } from './sarif/taxonomies.ts'

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'

/** GitHub refuses a run with more results. */
const MAX_RESULTS = 25_000

/**
 * SARIF 2.1.0 with errata 01. All findings are in it: past 25,000 they go on in further runs of the same log, each with
 * its own category, because code scanning refuses larger runs. What was not looked at is in the first run's invocation.
 */
export function* sarif(model: ReportModel): Iterable<string> {
  const taxonomies = new Taxonomies(model)
  const index = new Map([...model.rules.keys()].map((id, position) => [id, position]))
  const hasBaseline = model.findings.some(finding => finding.status === 'baseline')
  yield `{"$schema":"${SCHEMA}","version":"2.1.0","runs":[`
  for (let start = 0; start === 0 || start < model.findings.length; start += MAX_RESULTS) {
    const head = JSON.stringify(runOf(model, taxonomies, index, start / MAX_RESULTS))
    yield `${start === 0 ? '\n' : ',\n'}${head.slice(0, -1)},"results":[`
    let comma = '\n'
    for (const finding of model.findings.slice(start, start + MAX_RESULTS)) {
      yield `${comma}${JSON.stringify(sarifResult(finding, index.get(finding.rule_id)!, taxonomies, hasBaseline))}`
      comma = ',\n'
    }
    yield '\n]}'
  }
  yield '\n]}\n'
}

/** A run without its results. */
function runOf(model: ReportModel, taxonomies: Taxonomies, index: ReadonlyMap<string, number>, part: number): unknown {
  const { run } = model
  const provenance = provenanceOf(run)
  return {
    tool: {
      driver: {
        name: 'svc',
        version: run.tool_version,
        ...(/^\d+\.\d+\.\d+/.test(run.tool_version) && { semanticVersion: run.tool_version }),
        rules: [...model.rules.values()].map(rule => sarifRule(rule, taxonomies)),
        notifications: part === 0 ? notificationDescriptors(run) : [],
        supportedTaxonomies: taxonomies.references,
      },
    },
    automationDetails: { id: `svc${part === 0 ? '' : `-${part + 1}`}/${wellFormed(run.id)}` },
    invocations: [
      {
        executionSuccessful: true,
        startTimeUtc: run.started_at,
        endTimeUtc: run.finished_at,
        ...(part === 0 && {
          toolExecutionNotifications: executionNotifications(run, index),
          toolConfigurationNotifications: configurationNotifications(run),
        }),
      },
    ],
    ...(provenance && { versionControlProvenance: [provenance] }),
    originalUriBaseIds: { '%SRCROOT%': { description: { text: 'The root of the scanned repository.' } } },
    columnKind: 'utf16CodeUnits',
    taxonomies: taxonomies.components,
    properties: {
      scope: wellFormed(run.scope),
      packs: run.packs.map(pack => ({ id: pack.id, version: pack.version })),
      files: run.counts.files,
      files_skipped: run.skipped.length,
      ...(run.score !== undefined && { score: run.score }),
      ...(run.agent && { agent: wellFormed(run.agent) }),
    },
  }
}

/** The standard wants an address of the repository; a run knows its name only, so a URN carries it. */
function provenanceOf(run: Run): object | undefined {
  if (!run.git_sha) return undefined
  return {
    repositoryUri: `urn:svc:repository:${encodeURIComponent(wellFormed(run.root_name)) || 'unnamed'}`,
    revisionId: run.git_sha,
    ...(run.branch && { branch: wellFormed(run.branch) }),
    mappedTo: { uriBaseId: '%SRCROOT%' },
  }
}
