import type { Assessment } from '../controls/assessment.ts'
import { describeControlIds, nameControl } from './control-ids.ts'
import { makeProperty, makeUuid, OSCAL_VERSION, toLine } from './values.ts'

/**
 * OSCAL 1.2.1 component definition (csrc.nist.gov/ns/oscal) of svc with the packs of the run, as a validation component: for each control, which of
 * its rules check it and how many. It states what svc can check, not that a system fulfils it.
 */
export function makeComponentDefinition({ run, frameworks, generated_at }: Assessment): object {
  const names = frameworks.map(({ id }) => id).join(' ')
  const implementations = frameworks.flatMap(framework => {
    const requirements = framework.controls
      .filter(({ rules, obligations }) => rules.length + obligations.length > 0)
      .map(({ id, meaning, title, rules, obligations }) => ({
        uuid: makeUuid('requirement', framework.id, framework.pack_version, id),
        'control-id': nameControl(framework.id, id).id,
        description: meaning || title,
        props: [
          makeProperty('control', id),
          ...rules.map(rule => makeProperty('rule', rule.id)),
          ...obligations.map(obligation => makeProperty('obligation', obligation.id)),
        ],
        remarks: `${rules.length} rules check a part of it; ${obligations.length} documents are asked for. A person judges the rest.`,
      }))
    if (requirements.length === 0) return []
    return {
      uuid: makeUuid('implementation', framework.id, framework.pack_version),
      source: framework.source ?? `urn:svc:framework:${encodeURIComponent(framework.id)}`,
      description: `${framework.name}, by the pack ${framework.pack_id} ${framework.pack_version}.`,
      props: [makeProperty('framework', framework.id), makeProperty('control-ids', describeControlIds(framework.id))],
      'implemented-requirements': requirements,
    }
  })
  return {
    'component-definition': {
      uuid: makeUuid('component-definition', run.id, names),
      metadata: {
        title: toLine(`svc ${run.tool_version}: what its packs check`),
        'last-modified': generated_at,
        version: run.tool_version,
        'oscal-version': OSCAL_VERSION,
      },
      components: [
        {
          uuid: makeUuid('tool', run.tool_version),
          type: 'validation',
          title: 'svc',
          description: `svc ${run.tool_version} with ${run.packs.map(({ id, version }) => `${id} ${version}`).join(', ')}.`,
          ...(implementations.length > 0 && { 'control-implementations': implementations }),
        },
      ],
    },
  }
}
