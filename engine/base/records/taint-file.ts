import type { JsonSchema } from '../json-schema.ts'

const text = (description: string): JsonSchema => ({ type: 'string', minLength: 1, description })
const texts = (description: string): JsonSchema => ({
  type: 'array',
  items: { type: 'string', minLength: 1 },
  description,
})
const place: JsonSchema = {
  description: 'the index of an argument from 0, or its name',
  anyOf: [
    { type: 'integer', minimum: 0 },
    { type: 'string', minLength: 1 },
  ],
}
const strict = (properties: Record<string, JsonSchema>, required: string[], description: string): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
  description,
})

const condition = strict(
  {
    argument: {
      description: 'an argument, or several names for it',
      anyOf: [...place.anyOf!, { type: 'array', items: place }],
    },
    matches: text('a regular expression that its constant value matches'),
    begins: text('a regular expression that its constant value matches, or what is known of its beginning'),
    not: text('a regular expression that its constant value does not match'),
    may: text('a regular expression that its constant value matches where it is known'),
    written: text('a regular expression that its source code matches'),
    indirect: { type: 'boolean', description: 'true or false: whether its value is not a literal in the call itself' },
    absent: { type: 'boolean', description: 'true or false: whether the argument is missing' },
  },
  ['argument'],
  'a condition on an argument',
)

const sink = strict(
  {
    of: text('the id of a taint rule of the pack whose sinks are used, with the conditions given here'),
    from: texts('the kinds of source that this sink is for (default: all sources of the rule)'),
    calls: texts('names of calls'),
    arguments: {
      type: 'array',
      items: place,
      description: 'the arguments that must not be tainted (default: all)',
    },
    receiver: text('a regular expression over the receiver of the method'),
    writes: texts('members or elements that are assigned to'),
    key: text('a regular expression over the key of the assigned element'),
    returned_by: text('a regular expression over the decorators of functions whose return value is the sink'),
    when: { type: 'array', items: condition, description: 'conditions that must all hold' },
    needs_import: text('a regular expression over the full name of an import of the file'),
    result_type: text('a regular expression over the declared return type'),
    needs_prefix: text('a regular expression that the beginning of a harmful string matches'),
    unless_prefix: text('a regular expression that the beginning of a harmless string matches'),
    unless_setting: {
      type: 'object',
      description: 'settings by name, each with a regular expression under which the sink is safe',
    },
    unless_function: text('a regular expression over the source of the function, under which the sink is safe'),
    unless_file: text('a regular expression over the source of the file, under which the sink is safe'),
    unless_head: text('a regular expression over annotations and signature, under which the sink is safe'),
    needs_head: text('a regular expression over annotations and signature, required for a finding'),
    unless_followed: text('a regular expression over the source after the call, under which the sink is safe'),
    unless_within: text(
      'a regular expression over an enclosing call, such as `.delete("/items"`, within which the sink is safe',
    ),
    form: { enum: ['command', 'text'], description: 'command or text: the form of the value that the sink takes' },
  },
  [],
  'a sink',
)

const source = strict(
  {
    kind: text('a kind of source'),
    label: text('the label of the source in the data-flow path, such as HTTP request parameter'),
    calls: texts('names of calls'),
    receiver: text('a regular expression over the receiver of the method or member'),
    local: {
      type: 'boolean',
      description: 'true or false: whether the receiver may also be a local variable that a loop or a call returned',
    },
    members: texts('names of members'),
    parameters: {
      type: 'array',
      description: 'parameters of functions',
      items: strict(
        {
          types: texts('names of types'),
          annotations: texts('names of annotations'),
          decorated: text('a regular expression over the decorators of the function'),
          function: text('a regular expression over the name of the function'),
          names: texts('names of parameters'),
          except: texts('types and names to leave out'),
        },
        [],
        'a parameter',
      ),
    },
    carrier: {
      type: 'boolean',
      description: 'true or false: whether the object only carries input that its members return',
    },
    object: { type: 'boolean', description: 'true or false: whether the source is an object whose state is tracked' },
    words: texts('words of which a file with the source contains at least one'),
    near: texts('words of which a function that uses the source contains at least one'),
  },
  ['label'],
  'a source',
)

/** Fields of a rule of the type `taint`; what each means stands at `TaintRule` and in engine/base/records/taint-model.ts. */
export const TAINT_PROPERTIES: Record<string, JsonSchema> = {
  class: text('a class of sink'),
  when: {
    type: 'string',
    minLength: 1,
    maxLength: 2000,
    description: 'a regular expression that must match before the file is parsed for the rule',
  },
  sources: { ...texts('kinds of source'), default: [] },
  own_sources: { type: 'array', items: source, description: 'sources of this rule only', default: [] },
  cleaners: {
    type: 'array',
    items: strict(
      {
        calls: texts('names of calls'),
        when: { type: 'array', items: condition, description: 'conditions that must all hold' },
        receiver: { type: 'boolean', description: 'true or false: whether the call sanitizes the object itself' },
      },
      ['calls'],
      'a sanitizer',
    ),
    description: 'sanitizers of this rule only',
    default: [],
  },
  sinks: { type: 'array', minItems: 1, items: sink, description: 'sinks that tainted data must not reach' },
  review_sources: texts('kinds of source of which input at a sink is a place to review, with `svc scan --to-review`'),
  own_sinks_only: { const: true, description: 'true: sinks of libraries are not added to those of the rule' },
}
