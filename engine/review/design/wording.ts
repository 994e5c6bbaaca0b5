import type { MarkKind } from '../code/forms.ts'
import type { DecisionCategory, RiskLevel } from './decision.ts'

/** What a kind of change means to a reviewer. `{name}` is replaced by the construct's name. */
export interface Wording {
  category: DecisionCategory
  added: string
  /** What its removal is; absent where a removal is no decision. */
  removed?: string
  changed?: string
  alternatives: readonly string[]
  risk: string
  risk_level: RiskLevel
  question: string
}

/** Every kind of construct whose appearance is a design decision. */
export const WORDINGS: Partial<Record<MarkKind | 'dependency', Wording>> = {
  dependency: {
    category: 'dependency-choice',
    added: 'New dependency {name}',
    alternatives: [
      'Use what the project depends on already',
      'Write the part that is needed',
      'Another maintained package',
    ],
    risk: 'Its code runs with the rights of the project, and its vulnerabilities and license become those of the project.',
    risk_level: 'medium',
    question: 'Why this package, who maintains it, and what happens when it is abandoned?',
  },
  store: {
    category: 'state-management',
    added: 'New data store: {name}',
    alternatives: ['Keep the data in a store that the project has', 'Keep no state'],
    risk: 'Data gets a further place that must be protected, backed up, migrated and deleted from.',
    risk_level: 'high',
    question: 'What data is kept there, for how long, who may read it, and how is it backed up and deleted?',
  },
  queue: {
    category: 'architecture',
    added: 'New message queue: {name}',
    alternatives: ['A direct call', 'A table as an outbox'],
    risk: 'Messages can be lost, repeated or read by others, and consumers trust what they receive.',
    risk_level: 'medium',
    question: 'What happens to a message that is delivered twice, late, or never, and who may send one?',
  },
  service: {
    category: 'architecture',
    added: 'New external service: {name}',
    alternatives: ['Do it in the project', 'A provider that is used already'],
    risk: 'Data leaves the project, and the service can be slow, down or compromised.',
    risk_level: 'medium',
    question: 'What data is sent there, under which agreement, and what happens while it is down?',
  },
  endpoint: {
    category: 'architecture',
    added: 'New endpoint {name}',
    alternatives: ['Extend an endpoint that exists', 'An internal interface'],
    risk: 'A further way in for untrusted input; it needs authentication, authorization, validation and limits.',
    risk_level: 'medium',
    question: 'Who may call it, how is that enforced, and what input does it accept?',
  },
  outbound: {
    category: 'architecture',
    added: 'New {name}',
    alternatives: ['A client with a fixed base address', 'A queue'],
    risk: 'The address may come from input (SSRF), and the request can hang or fail.',
    risk_level: 'medium',
    question: 'Where does the address come from, and what are the timeout, the retries and the limits of the answer?',
  },
  command: {
    category: 'security-pattern',
    added: 'New {name}',
    alternatives: ['A library in place of the program', 'An argument list without a shell'],
    risk: 'Input that reaches the command line lets an attacker run other programs.',
    risk_level: 'high',
    question: 'Which input reaches the command, and why is no library used?',
  },
  consumer: {
    category: 'architecture',
    added: 'New {name}',
    alternatives: ['A scheduled task', 'A direct call'],
    risk: 'Whoever may send to the queue controls its input; failures may repeat without end.',
    risk_level: 'medium',
    question: 'Who may send messages, how are they validated, and where do failed ones go?',
  },
  auth: {
    category: 'security-pattern',
    added: 'New authentication or authorization check',
    removed: 'Authentication or authorization check removed',
    changed: 'Authentication or authorization check changed',
    alternatives: ['One check in a central place', 'The framework’s own mechanism'],
    risk: 'A missing, weaker or wrongly placed check lets users do what they may not.',
    risk_level: 'high',
    question: 'Who may do what after this change, and which test shows that everybody else is refused?',
  },
  concurrency: {
    category: 'performance-tradeoff',
    added: 'New concurrency: {name}',
    alternatives: ['Do it in sequence', 'A bounded pool or a queue'],
    risk: 'Shared state can be corrupted, errors of one task can be lost, and the number of tasks may have no limit.',
    risk_level: 'medium',
    question: 'What state is shared, what limits the number of tasks, and what happens when one of them fails?',
  },
  schema: {
    category: 'data-model',
    added: 'Schema change: {name}',
    removed: 'Schema change, removed: {name}',
    changed: 'Schema change: {name}',
    alternatives: ['A change that is compatible with the version before', 'A new table or field beside the old one'],
    risk: 'Old code, old data and a rollback may not fit the new schema.',
    risk_level: 'medium',
    question: 'Does the version before run on the new schema, and how is the change rolled back?',
  },
  swallowed: {
    category: 'error-handling',
    added: 'An error is swallowed',
    alternatives: ['Handle the error that is expected and rethrow the others', 'Log it with its context'],
    risk: 'A failure goes unnoticed, and what follows works on wrong or missing data.',
    risk_level: 'medium',
    question: 'Which error is expected here, and why may all others be ignored too?',
  },
  crypto: {
    category: 'security-pattern',
    added: 'New use of {name}',
    removed: 'Use of {name} removed',
    changed: 'Use of {name} changed',
    alternatives: ['A library of higher level', 'The platform’s key management'],
    risk: 'A wrong algorithm, mode, key or comparison protects nothing.',
    risk_level: 'high',
    question: 'What is protected from whom, with which algorithm, and where is the key kept?',
  },
}
