import { type } from 'arktype'
import { ELEMENT_KINDS, LEVELS, STRIDE, THREAT_SEVERITIES, ZONES } from './model.ts'

const Place = type({ file: 'string', line: 'number.integer', what: 'string' })
const Source = type("'rule' | 'llm' | 'import'").configure(
  { description: 'rule: deterministic; llm: by a model; import: from another tool' },
  'self',
)

/** An element of a data-flow model. */
export const ElementType = type({
  id: 'string',
  kind: type.enumerated(...ELEMENT_KINDS).configure({ description: ELEMENT_KINDS.join(', ') }, 'self'),
  name: 'string',
  zone: type('string').describe(Object.keys(ZONES).join(', ')),
  'directory?': type('string').describe('of a process of the repository'),
  'technology?': 'string',
  'boundary?': type('string').describe('the network or namespace that its deployment puts it in'),
  places: Place.array(),
  entry_points: type({
    method: 'string',
    path: 'string',
    framework: 'string',
    file: 'string',
    line: 'number.integer',
    source: 'string',
  }).array(),
  facts: 'string[]',
  source: Source,
})

/** A flow of a data-flow model. */
export const FlowType = type({
  id: 'string',
  from: 'string',
  to: 'string',
  label: 'string',
  places: Place.array(),
  crosses: type('boolean').describe('true if it crosses a trust boundary'),
  facts: 'string[]',
  source: Source,
})

/** A data-flow model: elements, flows and trust zones. */
export const ModelType = type({
  name: 'string',
  elements: ElementType.array(),
  flows: FlowType.array(),
  zones: 'string[]',
})

/** A threat with what is known of its mitigation. */
export const ThreatType = type({
  id: type('string').describe('TM- and ten hexadecimal digits'),
  stride: type.enumerated(...STRIDE).configure({ description: STRIDE.join(', ') }, 'self'),
  rule: 'string',
  source: Source,
  element: 'string',
  component: 'string',
  title: 'string',
  description: 'string',
  attack_vector: 'string',
  impact: 'string',
  likelihood: type.enumerated(...LEVELS).configure({ description: LEVELS.join(', ') }, 'self'),
  severity: type.enumerated(...THREAT_SEVERITIES).configure({ description: THREAT_SEVERITIES.join(', ') }, 'self'),
  mitigation: 'string',
  cwe: 'string[]',
  places: Place.array(),
  'evidence?': type('string').describe('the code that a model quotes'),
  rules: type('string[]').describe('rules that search for the weakness'),
  findings: type('string[]').describe('fingerprints of open findings of the last scan'),
  controls_seen: Place.array().describe('controls that the code seems to have; they close nothing'),
  confidence: 'number',
  digest: 'string',
  status: type("'pending' | 'mitigated'").configure({ description: 'pending or mitigated' }, 'self'),
  first_seen: 'string',
  'mitigated_at?': 'string',
  'mitigated_by?': 'string',
  'seal?': type('string').describe('the seal of the mitigation; without a valid one the threat is pending'),
  'mitigation_note?': 'string',
  'changed_since_mitigation?': 'true',
})

/** An open finding of the last scan that makes a category of STRIDE real. */
export const BearingType = type({
  fingerprint: 'string',
  rule_id: 'string',
  title: 'string',
  severity: 'string',
  file: 'string',
  line: 'number.integer',
  cwe: 'string[]',
  stride: type('string[]').describe('categories of STRIDE'),
  threats: type('string[]').describe('threats of the model that it bears on; none where it lies in no element'),
})

/** A category of STRIDE with what is known of it. */
export const StrideSummaryType = type({
  stride: 'string',
  threats: 'number.integer',
  pending: 'number.integer',
  findings: type('number.integer | null').describe(
    'open findings with a weakness of the category; null without a scan',
  ),
  cwe: type('string[]').describe('weaknesses that make the category real'),
})
