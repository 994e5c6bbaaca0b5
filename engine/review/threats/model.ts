/** What an element of a data-flow diagram is. */
export const ELEMENT_KINDS = ['actor', 'process', 'store', 'queue', 'service'] as const
export type ElementKind = (typeof ELEMENT_KINDS)[number]

/** The trust zones that elements lie in; a flow between two of them crosses a trust boundary. */
export const ZONES = {
  internet: 'Internet',
  operator: 'Operators',
  browser: 'Browser',
  application: 'Application',
  host: 'Host',
  data: 'Data stores',
  third_party: 'Third parties',
} as const
export type Zone = keyof typeof ZONES

/** A line that shows an element or a flow. */
export interface CodePlace {
  file: string
  /** Counted from 1. */
  line: number
  /** What it shows, in a few words. */
  what: string
}

/** A way in: an endpoint, a command line, a queue that is read. */
export interface EntryPoint {
  /** HTTP method, or `CLI`, `MESSAGE`, `CALL`. */
  method: string
  path: string
  framework: string
  file: string
  line: number
  /** `code`; `openapi` for one that only a specification names, `infrastructure` for one that only a deployment does. */
  source: 'code' | 'openapi' | 'infrastructure'
}

export interface ModelElement {
  /** Unique in the model; it stays while the element does. */
  id: string
  kind: ElementKind
  name: string
  zone: Zone
  /** Of a process of the repository: its directory, '' for the root. Findings in it bear on its threats. */
  directory?: string
  /** Its technology, where it has one. */
  technology?: string
  /** The network or namespace that its deployment puts it in. */
  boundary?: string
  places: CodePlace[]
  entry_points: EntryPoint[]
  /** What the tables of threats ask for: `http`, `auth`, `published`, … */
  facts: string[]
  source: 'rule' | 'llm' | 'import'
}

export interface Flow {
  id: string
  from: string
  to: string
  label: string
  places: CodePlace[]
  /** It crosses a trust boundary. */
  crosses: boolean
  facts: string[]
  source: 'rule' | 'llm' | 'import'
}

/** A data-flow model of a repository. Sorted: the same files give the same model. */
export interface DataFlowModel {
  name: string
  elements: ModelElement[]
  flows: Flow[]
  /** Zones that have elements. */
  zones: Zone[]
}

/** STRIDE (spec "Threat"). */
export const STRIDE = [
  'spoofing',
  'tampering',
  'repudiation',
  'information_disclosure',
  'denial_of_service',
  'elevation_of_privilege',
] as const
export type Stride = (typeof STRIDE)[number]

export const LEVELS = ['high', 'medium', 'low'] as const
export type Level = (typeof LEVELS)[number]
export const THREAT_SEVERITIES = ['critical', 'high', 'medium', 'low'] as const
export type ThreatSeverity = (typeof THREAT_SEVERITIES)[number]

/** A threat against an element or flow, before it is compared with what is stored. */
export interface FoundThreat {
  stride: Stride
  /** The row of the table; `llm` or `import` for others. */
  rule: string
  source: 'rule' | 'llm' | 'import'
  /** Id of the element or flow. */
  element: string
  /** Its name. */
  component: string
  title: string
  description: string
  attack_vector: string
  impact: string
  likelihood: Level
  severity: ThreatSeverity
  mitigation: string
  cwe: string[]
  places: CodePlace[]
  /** Ids of rules that look for the weakness. */
  rules: string[]
  /** Of a model's answer: the code of the line that it quotes, white space folded. */
  evidence?: string
  /** Fingerprints of open findings of the last scan that bear on it. */
  findings: string[]
  /** Controls that the code seems to have against it, with where. They lower the likelihood, and close nothing. */
  controls_seen: CodePlace[]
  confidence: number
  /** Of what shows the element: a mitigation holds while it is the same. */
  digest: string
}

export interface Threat extends FoundThreat {
  /** `TM-` and ten hexadecimal digits. */
  id: string
  status: 'pending' | 'mitigated'
  first_seen: string
  mitigated_at?: string
  mitigated_by?: string
  /** Of the mitigation, by a key that whoever changes the code does not have. */
  seal?: string
  mitigation_note?: string
  /** It was mitigated, and what shows the element has changed since. */
  changed_since_mitigation?: true
}
