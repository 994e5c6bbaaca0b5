import type { JsonSchema } from '../json-schema.ts'

const text = (description: string): JsonSchema => ({ type: 'string', minLength: 1, description })
const texts = (description: string): JsonSchema => ({
  type: 'array',
  items: { type: 'string', minLength: 1 },
  description,
})
const place: JsonSchema = {
  description: 'a number of an argument from 0, or its name',
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
      description: 'an argument, or several names of it',
      anyOf: [...place.anyOf!, { type: 'array', items: place }],
    },
    matches: text('an expression that its fixed value matches'),
    not: text('an expression that its fixed value does not match'),
    may: text('an expression that its fixed value matches where it is known'),
    written: text('an expression that it matches as it is written'),
    indirect: { type: 'boolean', description: 'true where its value is not written in the call itself' },
    absent: { type: 'boolean', description: 'true where it is not given' },
  },
  ['argument'],
  'a condition on an argument',
)

const sink = strict(
  {
    of: text('the id of a taint rule of the pack, whose sinks are taken with what stands beside this'),
    from: texts('the kinds of source that count here, of those of the rule; all of them where left out'),
    calls: texts('names of calls'),
    arguments: {
      type: 'array',
      items: place,
      description: 'the arguments that must not be input; all of them where left out',
    },
    receiver: text('an expression over the text before the method'),
    writes: texts('members or elements that are assigned to'),
    key: text('of elements that are assigned to, an expression over the key'),
    returned_by: text('an expression over the names of decorators of functions whose result it is'),
    when: { type: 'array', items: condition, description: 'conditions that must all hold' },
    needs_import: text('an expression over the full name of something that the file imports'),
    result_type: text('an expression over the declared type of the result'),
    needs_prefix: text('an expression that the beginning of a harmful text matches'),
    unless_prefix: text('an expression that the beginning of a harmless text matches'),
    unless_setting: {
      type: 'object',
      description: 'settings by name, with an expression under which the sink is harmless',
    },
    unless_function: text('an expression over the text of the function, under which the sink is harmless'),
    unless_file: text('an expression over the text of the file, under which the sink is harmless'),
    unless_head: text('an expression over annotations and signature, under which the sink is harmless'),
    needs_head: text('an expression over annotations and signature of a harmful function'),
    unless_followed: text('an expression over the text after the call, under which the sink is harmless'),
    form: { enum: ['command', 'text'], description: 'command or text' },
  },
  [],
  'a sink',
)

const source = strict(
  {
    kind: text('a kind of source'),
    label: text('what it is, in a few words'),
    calls: texts('names of calls'),
    receiver: text('an expression over the text before the method or member'),
    members: texts('names of members'),
    parameters: {
      type: 'array',
      description: 'parameters of functions',
      items: strict(
        {
          types: texts('names of types'),
          annotations: texts('names of annotations'),
          decorated: text('an expression over the decorators of the function'),
          function: text('an expression over the name of the function'),
          names: texts('names of parameters'),
          except: texts('types and names that do not count'),
        },
        [],
        'a parameter',
      ),
    },
    carrier: { type: 'boolean', description: 'true where input is asked of it' },
    object: { type: 'boolean', description: 'true for an object whose state counts' },
    words: texts('words of which a file with the source has one'),
    near: texts('words of which a function that asks for it has one'),
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
  own_sources: { type: 'array', items: source, description: 'sources of the rule alone', default: [] },
  cleaners: {
    type: 'array',
    items: strict(
      {
        calls: texts('names of calls'),
        when: { type: 'array', items: condition, description: 'conditions that must all hold' },
        receiver: { type: 'boolean', description: 'true where the object itself is clean from then on' },
      },
      ['calls'],
      'a cleaner',
    ),
    description: 'cleaners of the rule alone',
    default: [],
  },
  sinks: { type: 'array', minItems: 1, items: sink, description: 'places where input does harm' },
}
