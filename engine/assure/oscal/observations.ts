import type { FindingFacts } from '../../sources/store/finding-facts.ts'
import type { Assessment } from '../controls/assessment.ts'
import { describeEvidence, describeScan, type EvidenceItem } from '../controls/provenance.ts'
import type { CheckedEvidence } from '../evidence/check.ts'
import { makeProperty, makeUuid, toHref, toLine } from './values.ts'

/** What was observed: the scan, each finding that bears on an assessed control, and what people vouch for. */
export function* makeObservations(assessment: Assessment): Iterable<object> {
  const { run, frameworks } = assessment
  const scan = describeScan(assessment)
  const subject = { 'subject-uuid': makeUuid('repository', run.root_name), type: 'component' }
  const origins = [{ actors: [{ type: 'tool', 'actor-uuid': makeUuid('tool', run.tool_version) }] }]
  const findings = new Map<string, FindingFacts>()
  for (const { controls } of frameworks)
    for (const control of controls) for (const each of control.findings) findings.set(each.fingerprint, each)
  yield {
    uuid: makeUuid('observation', run.id, 'scan'),
    title: toLine(scan.title),
    description: `${scan.provenance.population}. Output: ${scan.provenance.output}.`,
    props: describeProvenance(scan),
    methods: ['TEST'],
    types: ['control-objective'],
    origins,
    subjects: [subject],
    'relevant-evidence': [
      { href: `#${makeUuid('resource', run.id, 'findings')}`, description: 'The findings of the run (Parquet).' },
      { href: `#${makeUuid('resource', run.id, 'run')}`, description: 'The record of the run (JSON).' },
    ],
    collected: run.finished_at,
  }
  for (const finding of findings.values())
    yield {
      uuid: makeUuid('observation', run.id, finding.fingerprint),
      title: toLine(finding.title),
      description: `${finding.severity} finding of ${finding.rule_id} in ${finding.file}, line ${finding.line}; ${finding.status}.`,
      props: [
        makeProperty('fingerprint', finding.fingerprint),
        makeProperty('rule', finding.rule_id),
        makeProperty('severity', finding.severity),
        makeProperty('status', finding.status),
      ],
      methods: ['TEST'],
      types: ['finding'],
      origins,
      subjects: [subject],
      'relevant-evidence': [
        { href: `#${makeUuid('resource', run.id, 'findings')}`, description: `Fingerprint ${finding.fingerprint}.` },
      ],
      collected: run.finished_at,
    }
  for (const entry of listValid(assessment)) {
    const item = describeEvidence(entry)
    yield {
      uuid: makeUuid('observation', run.id, item.source, entry.control),
      title: toLine(entry.title),
      description: entry.note ?? entry.title,
      props: describeProvenance(item),
      methods: ['EXAMINE'],
      types: ['control-objective'],
      origins: [{ actors: [{ type: 'party', 'actor-uuid': makeUuid('party', entry.owner) }] }],
      'relevant-evidence': [{ href: `#${makeUuid('resource', item.source)}`, description: entry.title }],
      collected: `${entry.observed_at}T00:00:00Z`,
      ...(entry.expires !== undefined && { expires: `${entry.expires}T23:59:59Z` }),
    }
  }
}

/** The documents that observations refer to, with their digests. */
export function makeResources(assessment: Assessment): object[] {
  const { run, digests } = assessment
  const sources = new Map(listValid(assessment).map(entry => [entry.file ?? entry.url!, entry]))
  return [
    {
      uuid: makeUuid('plan', run.id),
      title: 'What the run checked',
      description: `${run.packs_reason} Configuration: .svc/config.yaml at the commit of the run.`,
    },
    makeFile(makeUuid('resource', run.id, 'findings'), `history/${run.id}/findings.parquet`, digests.findings),
    makeFile(makeUuid('resource', run.id, 'run'), `history/${run.id}/run.json`, digests.run),
    ...[...sources].map(([source, { file, title, sha256 }]) => ({
      uuid: makeUuid('resource', source),
      title: toLine(title),
      rlinks: [{ href: file === undefined ? source : toHref(file), ...hashes(sha256) }],
    })),
  ]
}

/** Valid evidence for an assessed control, each entry once. */
function listValid({ frameworks, evidence }: Assessment): CheckedEvidence[] {
  const used = new Set(frameworks.flatMap(({ controls }) => controls.flatMap(control => control.evidence)))
  return evidence.filter(each => each.state === 'valid' && used.has(each))
}

function makeFile(uuid: string, path: string, sha256: string): object {
  return { uuid, title: path, rlinks: [{ href: toHref(path), ...hashes(sha256) }] }
}

function hashes(sha256: string | undefined): object {
  return sha256 === undefined ? {} : { hashes: [{ algorithm: 'SHA-256', value: sha256 }] }
}

function describeProvenance({ provenance }: EvidenceItem): object[] {
  const { population, period, tool, input, output, person } = provenance
  return [
    makeProperty('population', population),
    makeProperty('period', `${period.from}/${period.to}`),
    makeProperty('tool', tool),
    makeProperty('input', input),
    makeProperty('output', output),
    ...(person === null ? [] : [makeProperty('person', person)]),
  ]
}
