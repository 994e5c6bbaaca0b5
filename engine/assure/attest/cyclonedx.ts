import { createHash } from 'node:crypto'
import type { ControlResult, FrameworkResult } from '../../base/records/framework.ts'
import type { Run } from '../../base/records/run.ts'
import { VERSION } from '../../base/version.ts'
import { type Attestation, digestAttestation } from './document.ts'

/** Most finding counts and rules that a claim names; all are in the evidence's run. */
const MOST_NAMED = 50

/**
 * The controls of a run as CycloneDX attestations (CycloneDX 1.6, `declarations` and `definitions.standards`). A control that rules met or
 * violated is a claim with its score; one for a person to judge, one that does not apply, and one whose rules were not all
 * evaluated has no score: nothing is claimed of it.
 */
export function makeDeclarations(run: Run, attestation: Attestation): object {
  const frameworks = run.frameworks ?? []
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${makeUuid(`declarations ${run.id}`)}`,
    version: 1,
    metadata: {
      timestamp: attestation.generated_at,
      tools: { components: [{ type: 'application', name: 'svc', version: VERSION }] },
      component: { type: 'application', name: run.root_name, 'bom-ref': 'target', ...version(run) },
    },
    definitions: { standards: frameworks.map(toStandard) },
    declarations: {
      assessors: [{ 'bom-ref': 'assessor', thirdParty: false, organization: { name: `svc ${VERSION} (automated)` } }],
      targets: { components: [{ type: 'application', name: run.root_name, 'bom-ref': 'declared-target' }] },
      evidence: [
        {
          'bom-ref': 'evidence-run',
          propertyName: 'svc.run',
          description: `Run ${run.id}: ${run.counts.files} files scanned with ${run.counts.rules} rules, scope ${run.scope}.`,
          created: run.finished_at,
          data: [
            {
              name: 'attestation',
              classification: 'attestation',
              contents: {
                attachment: { contentType: 'text/plain', content: `sha256:${digestAttestation(attestation)}` },
              },
            },
          ],
        },
      ],
      claims: frameworks.flatMap(framework =>
        framework.controls.filter(isJudged).map(control => toClaim(framework, control)),
      ),
      attestations: frameworks.map(toAttestation),
    },
  }
}

function version({ git_sha }: Run): object {
  return git_sha === undefined ? {} : { version: git_sha }
}

function toStandard({ id, name, pack_version, controls }: FrameworkResult): object {
  return {
    'bom-ref': `standard-${id}`,
    name,
    version: pack_version,
    requirements: controls.map(control => ({
      'bom-ref': requirementRef(id, control),
      identifier: control.id,
      title: control.title,
    })),
  }
}

function toClaim({ id }: FrameworkResult, control: ControlResult): object {
  return {
    'bom-ref': claimRef(id, control),
    target: 'declared-target',
    predicate:
      control.state === 'met'
        ? `No open finding violates ${control.id}, by ${control.checked} rules.`
        : `${control.findings} findings violate ${control.id}.`,
    reasoning: control.because,
    evidence: ['evidence-run'],
  }
}

function toAttestation({ id, name, counts, controls }: FrameworkResult): object {
  const open = controls.filter(control => !isJudged(control)).length
  return {
    summary: `${name}: ${counts.met} controls met by rules, ${counts.violated} violated; ${open} of ${controls.length} are not judged here (${counts.manual} need a person).`,
    assessor: 'assessor',
    map: controls.map(control => ({
      requirement: requirementRef(id, control),
      claims: isJudged(control) && control.state === 'met' ? [claimRef(id, control)] : [],
      counterClaims: isJudged(control) && control.state === 'violated' ? [claimRef(id, control)] : [],
      conformance: {
        ...(isJudged(control) && { score: control.state === 'met' ? 1 : 0 }),
        rationale: describe(control),
      },
    })),
  }
}

function describe({ because, not_evaluated }: ControlResult): string {
  const missing = not_evaluated.slice(0, MOST_NAMED).join(', ')
  return missing === '' ? because : `${because} Not evaluated everywhere: ${missing}.`
}

/** Whether rules alone say what the control came to: a control is met only where each of its rules was evaluated. */
function isJudged({ state, not_evaluated }: ControlResult): boolean {
  return state === 'violated' || (state === 'met' && not_evaluated.length === 0)
}

function requirementRef(framework: string, { id }: ControlResult): string {
  return `${framework}:${id}`
}

function claimRef(framework: string, { id }: ControlResult): string {
  return `claim-${framework}:${id}`
}

/** A UUID from a text (RFC 9562, version 8), so that the same run has the same one. */
function makeUuid(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
