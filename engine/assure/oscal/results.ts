import { EngineError } from '../../base/errors.ts'
import type { ControlState } from '../../base/records/framework.ts'
import type { FindingFacts } from '../../sources/store/finding-facts.ts'
import type { AssessedControl, AssessedFramework, Assessment } from '../controls/assessment.ts'
import { describeEvidence, describeScan } from '../controls/provenance.ts'
import { describeControlIds, nameControl } from './control-ids.ts'
import { makeObservations, makeResources } from './observations.ts'
import { makeProperty, makeUuid, OSCAL_VERSION, toLine } from './values.ts'

/**
 * OSCAL 1.2.1 assessment results (csrc.nist.gov/ns/oscal) as JSON in pieces: one result for the run, an observation for the scan, for each finding and for
 * each valid piece of evidence, and a finding for each control. A control that is manual or was not evaluated is not satisfied, with the
 * reason `other`; one that is not applicable is excluded from the selection. The same assessment gives the same bytes. CONFLICT
 * where there is no framework: OSCAL has no results without a control.
 */
export function* renderAssessmentResults(assessment: Assessment): Iterable<string> {
  const { run, frameworks } = assessment
  if (frameworks.length === 0)
    throw new EngineError('CONFLICT', `No framework was on in the run ${run.id}.`, {
      hint: 'Name one with --framework, or add a pack with `svc add-pack` and scan again.',
    })
  yield `{"assessment-results":${openObject(makeHead(assessment))},"results":[${openObject(makeResult(assessment))},\n"observations":[`
  yield* listItems(makeObservations(assessment))
  if (frameworks.some(({ controls }) => controls.some(isJudged))) {
    yield '],\n"findings":['
    yield* listItems(makeFindings(assessment))
  }
  yield ']}]}}\n'
}

/** A JSON object without its end, so that further keys can follow. */
function openObject(value: object): string {
  return JSON.stringify(value).slice(0, -1)
}

function* listItems(items: Iterable<object>): Iterable<string> {
  let separator = '\n'
  for (const item of items) {
    yield `${separator}${JSON.stringify(item)}`
    separator = ',\n'
  }
}

function makeHead(assessment: Assessment): object {
  const { run, frameworks, generated_at, evidence } = assessment
  const people = [...new Set(evidence.map(({ owner }) => owner))].sort()
  return {
    uuid: makeUuid('assessment-results', run.id, frameworks.map(({ id }) => id).join(' ')),
    metadata: {
      title: toLine(`Compliance of ${run.root_name}, run ${run.id}`),
      'last-modified': generated_at,
      version: run.id,
      'oscal-version': OSCAL_VERSION,
      ...(people.length > 0 && {
        parties: people.map(person => ({ uuid: makeUuid('party', person), type: 'person', name: toLine(person) })),
      }),
    },
    'import-ap': {
      href: `#${makeUuid('plan', run.id)}`,
      remarks: 'There is no separate assessment plan: the packs and the configuration of the run say what was checked.',
    },
    'back-matter': { resources: makeResources(assessment) },
  }
}

function makeResult(assessment: Assessment): object {
  const { run, frameworks, omitted = [] } = assessment
  const { provenance } = describeScan(assessment)
  return {
    uuid: makeUuid('result', run.id, frameworks.map(({ id }) => id).join(' ')),
    title: toLine(`Scan of ${run.root_name}`),
    description: [
      `${provenance.population}. Input: ${provenance.input}. Output: ${provenance.output}.`,
      ...omitted,
    ].join(' '),
    start: run.started_at,
    end: run.finished_at,
    props: [
      makeProperty('run-id', run.id),
      makeProperty('tool', provenance.tool),
      ...(run.git_sha === undefined ? [] : [makeProperty('git-sha', run.git_sha)]),
    ],
    'local-definitions': makeDefinitions(assessment),
    'reviewed-controls': { 'control-selections': frameworks.map(selectControls) },
  }
}

function* makeFindings(assessment: Assessment): Iterable<object> {
  for (const framework of assessment.frameworks)
    for (const control of framework.controls) if (isJudged(control)) yield makeFinding(assessment, framework, control)
}

/** The repository that was scanned, and the program that scanned it. */
function makeDefinitions({ run }: Assessment): object {
  const status = { state: 'operational' }
  const tool = makeUuid('tool', run.tool_version)
  return {
    components: [
      {
        uuid: makeUuid('repository', run.root_name),
        type: 'software',
        title: toLine(run.root_name),
        description: 'The repository that was scanned.',
        status,
      },
    ],
    'assessment-assets': {
      components: [{ uuid: tool, type: 'validation', title: 'svc', description: `svc ${run.tool_version}`, status }],
      'assessment-platforms': [
        { uuid: makeUuid('platform', run.tool_version), 'uses-components': [{ 'component-uuid': tool }] },
      ],
    },
  }
}

function selectControls({ id, name, controls }: AssessedFramework): object {
  const idsOf = (isIn: (control: AssessedControl) => boolean) =>
    controls.filter(isIn).map(control => ({ 'control-id': nameControl(id, control.id).id }))
  const [include, exclude] = [idsOf(isJudged), idsOf(control => !isJudged(control))]
  return {
    description: name,
    props: [makeProperty('framework', id), makeProperty('control-ids', describeControlIds(id))],
    ...(include.length > 0 ? { 'include-controls': include } : { 'include-all': {} }),
    ...(exclude.length > 0 && { 'exclude-controls': exclude, remarks: 'Excluded controls are not applicable.' }),
  }
}

function isJudged({ state }: { state: ControlState }): boolean {
  return state !== 'not_applicable'
}

const STATUS: Record<Exclude<ControlState, 'not_applicable'>, object> = {
  met: { state: 'satisfied', reason: 'pass' },
  violated: { state: 'not-satisfied', reason: 'fail' },
  manual: { state: 'not-satisfied', reason: 'other', remarks: 'Manual: evidence of a person is missing.' },
  not_evaluated: { state: 'not-satisfied', reason: 'other', remarks: 'Not evaluated: nothing shows that it is met.' },
}

function makeFinding(assessment: Assessment, framework: AssessedFramework, control: AssessedControl): object {
  const { run } = assessment
  const state = control.state as Exclude<ControlState, 'not_applicable'>
  return {
    uuid: makeUuid('finding', run.id, framework.id, control.id),
    title: toLine(`${control.id} ${control.title}`),
    description: control.reason,
    props: [
      makeProperty('framework', framework.id),
      makeProperty('control', control.id),
      makeProperty('state', control.state),
    ],
    target: { ...nameControl(framework.id, control.id).target, status: STATUS[state] },
    'related-observations': [
      { 'observation-uuid': makeUuid('observation', run.id, 'scan') },
      ...uniqueFingerprints(control.findings).map(fingerprint => ({
        'observation-uuid': makeUuid('observation', run.id, fingerprint),
      })),
      ...control.evidence
        .filter(({ state }) => state === 'valid')
        .map(each => ({
          'observation-uuid': makeUuid('observation', run.id, describeEvidence(each).source, each.control),
        })),
    ],
  }
}

function uniqueFingerprints(findings: readonly FindingFacts[]): string[] {
  return [...new Set(findings.map(({ fingerprint }) => fingerprint))]
}
