import type { JsonSchema } from '../json-schema.ts'
import { CORRECTED_CODE } from './corrected-code-schema.ts'
import { CATEGORIES, CONTEXTS, SEVERITIES } from './finding.ts'
import { CONTROL_KINDS, DECLARED, DEFECTS, PATTERN_SANITIZERS, RULE_TYPES } from './rule.ts'
import { WHERE } from './surrounding-schema.ts'
import { TAINT_PROPERTIES } from './taint-file.ts'

const text = (description: string): JsonSchema => ({ type: 'string', minLength: 1, description })
const texts = (description: string): JsonSchema => ({
  type: 'array',
  items: { type: 'string' },
  description,
  default: [],
})
const object = (description: string): JsonSchema => ({ type: 'object', description })
const examples = (description: string): JsonSchema => ({
  type: 'array',
  description,
  minItems: 1,
  items: {
    description: 'code, or a map of path and code',
    anyOf: [
      { type: 'string' },
      {
        type: 'object',
        properties: { path: text('a path'), code: { type: 'string', description: 'code' } },
        required: ['path', 'code'],
        additionalProperties: false,
      },
    ],
  },
})

const shared: Record<string, JsonSchema> = {
  id: {
    type: 'string',
    pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)+$',
    description: 'words of lower-case letters and digits joined by hyphens',
  },
  type: { enum: RULE_TYPES.filter(type => type !== 'secret'), description: 'the type of rule' },
  title: text('a title that names the weakness, in one line'),
  message: text('what an attacker gains, or what goes wrong'),
  severity: { enum: [...SEVERITIES], description: 'a severity' },
  category: { enum: [...CATEGORIES], description: 'the category of the findings', default: 'code' },
  languages: { type: 'array', minItems: 1, items: { type: 'string' }, description: 'names of languages, or any' },
  cwe: {
    type: 'array',
    items: { type: 'string', pattern: '^CWE-[0-9]+$' },
    description: 'CWE numbers such as CWE-79',
    default: [],
  },
  tags: texts('tags to filter rules by'),
  remediation: text('how to fix it, with a correct example'),
  corrected_code: CORRECTED_CODE,
  references: texts('URLs of references'),
  files: texts('globs of the paths to scan (default: all)'),
  exclude_files: texts('globs of the paths to skip'),
  literals: {
    type: 'array',
    minItems: 1,
    items: { type: 'string', minLength: 2 },
    description: 'strings of which the file must contain at least one',
  },
  canary: { const: true, description: 'true for a canary rule, which runs only where canary rules are turned on' },
  silent_in: { const: 'tests', description: 'tests, for a rule that reports nothing in test code' },
  unless_cited: { const: true, description: 'true: matches in code that cites a standard are set aside, and counted' },
  review: {
    const: true,
    description: 'true for a rule whose matches a reviewer must decide: counted as "to review", and no findings',
  },
  match: examples('positive examples, in which the rule must report a finding'),
  clean: examples('negative examples, in which the rule must report nothing'),
}
const required = ['id', 'type', 'title', 'message', 'severity', 'languages', 'remediation', 'match', 'clean']

const sanitizers: JsonSchema = {
  type: 'array',
  items: { enum: [...PATTERN_SANITIZERS] },
  minItems: 1,
  description: 'simple_types: text built of numbers, dates, UUIDs, enumerations and constants alone is no finding',
}

const literals = (description: string): JsonSchema => ({
  type: 'array',
  minItems: 1,
  items: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
  description,
})
const condition: Record<string, JsonSchema> = {
  property: {
    type: 'string',
    pattern: '^[\\w-]+(\\.[\\w-]+)*$',
    description: 'a property, through nested blocks by dots',
  },
  is: literals('values of which it is one'),
  not: literals('values of which it is none, where it is given'),
  matches: { type: 'string', minLength: 1, maxLength: 500, description: 'a regular expression' },
  at_most: { type: 'number', description: 'a number that it does not exceed' },
  at_least: { type: 'number', description: 'a number that it reaches' },
  covers: {
    type: 'array',
    minItems: 1,
    items: { type: 'integer', minimum: 0 },
    description: 'numbers of which one is in its range',
  },
  until: { type: 'string', pattern: '^\\w+$', description: 'the property in which the range of covers ends' },
  empty: { const: true, description: 'true where it is an empty list or text' },
  absent: { const: true, description: 'true where it is not given' },
}

const kinds: Record<string, { properties: Record<string, JsonSchema>; required: string[] }> = {
  taint: { properties: TAINT_PROPERTIES, required: ['class', 'sinks'] },
  memory: {
    properties: {
      defects: {
        type: 'array',
        minItems: 1,
        items: { enum: [...DEFECTS] },
        description: 'the memory defects that the rule reports',
      },
    },
    required: ['defects'],
  },
  resource: {
    properties: {
      resources: {
        type: 'array',
        minItems: 1,
        description: 'rows of resource types and a condition on one of their properties',
        items: {
          type: 'object',
          properties: {
            types: {
              type: 'array',
              minItems: 1,
              items: { type: 'string', minLength: 2 },
              description: 'resource types',
            },
            within: { type: 'string', minLength: 1, description: 'nested blocks that are each asked' },
            ...condition,
            and: {
              type: 'array',
              minItems: 1,
              description: 'further conditions',
              items: {
                type: 'object',
                properties: condition,
                required: ['property'],
                additionalProperties: false,
                description: 'a condition',
              },
            },
            location: { const: 'property', description: 'property: where the finding is, with further conditions' },
            note: text('what exactly is wrong, in one sentence'),
            fix: text('the expression to put in the place of the value'),
          },
          required: ['types', 'property'],
          additionalProperties: false,
          description: 'a row',
        },
      },
    },
    required: ['resources'],
  },
  ast: {
    properties: {
      sanitizers,
      rule: object('an ast-grep rule object'),
      when: {
        type: 'string',
        minLength: 1,
        maxLength: 2000,
        description: 'a regular expression that must match before the file is parsed for the rule',
      },
      within: {
        const: 'function',
        description: 'function: the match and a match of when must be in the same function',
      },
      declared: {
        enum: [...DECLARED],
        description: 'what the name in the first group of when must be declared as in that function',
      },
      constraints: object('ast-grep constraints'),
      utils: object('ast-grep utility rules'),
      transform: object('ast-grep transformations'),
      fix: { type: 'string', description: 'a replacement with metavariables' },
    },
    required: ['rule'],
  },
  regex: {
    properties: {
      sanitizers,
      regex: {
        type: 'string',
        minLength: 1,
        maxLength: 2000,
        description: 'a regular expression of at most 2,000 characters',
      },
      ignore_case: {
        type: 'boolean',
        description: 'true or false: whether the regular expression ignores case',
        default: false,
      },
      where: WHERE,
      contexts: {
        type: 'array',
        items: { enum: [...CONTEXTS] },
        description: 'the contexts in which a match is reported (default: all)',
        default: [],
      },
      fix: { type: 'string', description: 'a replacement with $1 to $9' },
    },
    required: ['regex'],
  },
  required_pattern: {
    properties: {
      regex: {
        type: 'string',
        minLength: 1,
        maxLength: 2000,
        description: 'a regular expression of at most 2,000 characters',
      },
      ignore_case: {
        type: 'boolean',
        description: 'true or false: whether the regular expression ignores case',
        default: false,
      },
      when: {
        type: 'string',
        minLength: 1,
        maxLength: 2000,
        description: 'a regular expression that must match before the rule applies',
      },
    },
    required: ['regex'],
  },
  llm: {
    properties: {
      question: {
        type: 'string',
        minLength: 10,
        maxLength: 1000,
        description: 'one question on a file that a language model answers with yes where there is a finding',
      },
    },
    required: ['question'],
  },
  file_policy: {
    properties: {
      check: {
        type: 'object',
        description: 'one of max_lines, must_contain, must_not_import, required_file, forbidden_file, naming',
        minProperties: 1,
        maxProperties: 1,
        properties: {
          max_lines: { type: 'integer', minimum: 1, description: 'the maximum number of lines' },
          must_contain: text('a string that the file must contain'),
          must_not_import: { type: 'array', minItems: 1, items: { type: 'string' }, description: 'names of modules' },
          required_file: text('a glob'),
          forbidden_file: { const: true, description: 'true' },
          naming: text('a regular expression for the base name'),
        },
        additionalProperties: false,
      },
    },
    required: ['check'],
  },
}

/** JSON Schema of a rule file of this type. */
export function getRuleSchema(type: string): JsonSchema {
  const kind = kinds[type] ?? { properties: {}, required: [] }
  return {
    type: 'object',
    properties: { ...shared, ...kind.properties },
    required: [...required, ...kind.required],
    additionalProperties: false,
  }
}

const list = (items: JsonSchema, description: string): JsonSchema => ({
  type: 'array',
  items,
  description,
  default: [],
})
const isoDate: JsonSchema = {
  type: 'string',
  pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$',
  description: 'an ISO date',
}
const url = (description: string): JsonSchema => ({ type: 'string', pattern: '^https://', description })
const strict = (properties: Record<string, JsonSchema>, needed: string[], description: string): JsonSchema => ({
  type: 'object',
  properties,
  required: needed,
  additionalProperties: false,
  description,
})

/** JSON Schema of pack.yaml (decisions "Rules and packs"); its rules are the files beside it. */
export const PACK_SCHEMA: JsonSchema = strict(
  {
    id: {
      type: 'string',
      pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*$',
      description: 'words of lower-case letters and digits joined by hyphens',
    },
    version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$', description: 'a semantic version such as 1.0.0' },
    name: text('a display name'),
    description: text('what the pack detects'),
    tier: { type: 'string', default: 'open', description: 'a license tier' },
    languages: texts('languages that turn the pack on where they are detected, or any'),
    framework: strict(
      {
        id: text('an id'),
        name: text('a name'),
        edition: text('an edition'),
        date: {
          type: 'string',
          pattern: '^\\d{4}(-\\d{2}(-\\d{2})?)?$',
          description: 'an ISO date, or the year or month where the day is not known',
        },
        source: url('the URL of the edition'),
        controls_total: { type: 'integer', minimum: 1, description: 'the number of controls in the whole framework' },
      },
      ['id', 'name', 'edition', 'date'],
      'a framework',
    ),
    obligations: list(
      strict(
        {
          id: text('an id'),
          control: text('a control id'),
          title: text('a title'),
          evidence: text('the evidence that must be provided'),
          files: texts('globs of files that can serve as evidence'),
        },
        ['id', 'control', 'title', 'evidence'],
        'an obligation',
      ),
      'documentation obligations',
    ),
    controls: list(
      strict(
        {
          id: text('an id'),
          title: text('a title'),
          meaning: text('the requirement in one line'),
          kind: {
            enum: [...CONTROL_KINDS],
            description: 'the kind of evidence that shows compliance',
            default: 'technical',
          },
          maps: list(
            strict(
              {
                rules: texts('rule ids'),
                cwe: texts('CWE numbers'),
                tags: texts('tags of rules'),
                why: text('why the rules support the control, in one line'),
              },
              ['why'],
              'a mapping',
            ),
            'mappings from rules',
          ),
        },
        ['id', 'title', 'meaning'],
        'a control',
      ),
      'controls of the framework',
    ),
    deadlines: list(
      strict(
        {
          date: isoDate,
          title: text('a title'),
          meaning: text('what applies from that date, in one line'),
          source: url('the URL of the text that sets the date'),
        },
        ['date', 'title', 'meaning', 'source'],
        'a deadline',
      ),
      'dates from which the framework applies',
    ),
    lint_exceptions: list(
      strict(
        { check: text('a check of lint-pack'), on: texts('rule or control ids'), reason: text('why it is accepted') },
        ['check', 'reason'],
        'an exception',
      ),
      'accepted findings of lint-pack',
    ),
  },
  ['id', 'version', 'name', 'description'],
  'a pack',
)
