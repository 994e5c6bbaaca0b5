import { setTimeout } from 'node:timers/promises'
import { type } from 'arktype'
import { EngineError } from '../../engine/base/errors.ts'
import type { JsonSchema } from '../../engine/base/json-schema.ts'
import { defineOperation, type ManifestRow, type Operation } from '../../engine/door/operation.ts'
import type { Schemas } from '../../engine/door/schemas.ts'

// Operations that the surfaces' tests bind instead of the program's own, one for each thing that a binder must do.

const show = defineOperation({
  id: 'demo.show',
  summary: 'Show a thing.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/things/{thing_id}',
  mcp: 'show_thing',
  input: type({
    thing_id: type('string').describe('the id of a thing'),
    limit: type('1 <= number.integer <= 100').describe('a count from 1 to 100').default(10),
    deep: type('boolean').describe('true to follow links, or false').default(false),
    'tags?': type('string[]').describe('a list of tags'),
    'with_size?': type('boolean').describe('true to add the size, or false'),
    '+': 'reject',
  }),
  output: type({ thing_id: 'string', limit: 'number', deep: 'boolean', 'tags?': 'string[]', 'with_size?': 'boolean' }),
  run: input => input,
  text: (output, view) => view.paint('red', `thing ${output.thing_id}`),
})

const store = defineOperation({
  id: 'demo.store',
  summary: 'Store a thing.',
  effect: 'write',
  cli: null,
  rest: 'POST /api/things/{thing_id}',
  mcp: 'store_thing',
  input: type({
    thing_id: type('string').describe('the id of a thing'),
    'name?': type('string').describe('a name'),
    'files?': type({ '[string]': 'string' }).describe('a map of file path to content'),
    '+': 'reject',
  }),
  output: type({ thing_id: 'string', 'name?': 'string', files: 'number' }),
  run: ({ files, ...rest }) => ({ ...rest, files: Object.keys(files ?? {}).length }),
  text: output => `stored ${output.thing_id}`,
})

const fail = defineOperation({
  id: 'demo.fail',
  summary: 'Fail in a given way.',
  effect: 'destroy',
  cli: null,
  rest: 'POST /api/fail',
  mcp: 'fail_thing',
  input: type({
    how: type('"engine" | "crash" | "path"').configure({ description: 'a way to fail' }, 'self'),
    '+': 'reject',
  }),
  output: type({}),
  run({ how }, { cwd }) {
    if (how === 'engine') throw new EngineError('RULE_NOT_FOUND', 'There is no rule nope.')
    if (how === 'path')
      throw new EngineError('STORE_UNREADABLE', `${cwd}/out/run.json and /etc/very/secret.db are damaged.`)
    throw new TypeError(`boom in ${cwd}/engine.js`)
  },
  text: () => '',
})

/** What happened to calls of `demo.wait`, in order. */
export const waited: string[] = []

const wait = defineOperation({
  id: 'demo.wait',
  summary: 'Wait until interrupted.',
  effect: 'read',
  cli: null,
  rest: 'POST /api/wait',
  mcp: 'wait_thing',
  input: type({ ms: type('number').describe('how long to wait, in milliseconds').default(20_000), '+': 'reject' }),
  output: type({ ms: 'number' }),
  async run({ ms }, { signal, emit, notice }) {
    waited.push('started')
    notice('waiting now')
    for (let done = 0; done < 5; done++) {
      emit({ type: 'progress', progress: { phase: 'scan', done, total: 5, bytes: 0, findings: 0 } })
      await setTimeout(ms / 5, undefined, { signal }).catch(error => {
        waited.push('aborted')
        throw error
      })
    }
    waited.push('finished')
    return { ms }
  },
  text: ({ ms }) => `waited ${ms} ms`,
})

const scan = defineOperation({
  id: 'demo.scan',
  summary: 'Scan and tell how far it is.',
  effect: 'write',
  cli: null,
  rest: 'POST /api/run-scan-stream',
  mcp: null,
  streams: true,
  input: type({
    findings: type('number.integer >= 0').describe('how many findings to make').default(2),
    pause: type('number').describe('milliseconds before the end').default(0),
    'fail?': type('"early" | "late"').configure({ description: 'when to fail' }, 'self'),
    '+': 'reject',
  }),
  output: type({ run_id: 'string', findings: 'number' }),
  async run({ findings, pause, fail }, { emit, signal }) {
    if (fail === 'early') throw new EngineError('CONFIG_INVALID', 'There is no key foo.')
    waited.push('scanning')
    emit({ type: 'progress', progress: { phase: 'discover', done: 0, total: 0, bytes: 0, findings: 0 } })
    emit({ type: 'started', run_id: 'r1', files: 3 })
    for (let n = 0; n < findings; n++) emit({ type: 'finding', finding: { id: `f${n}`, snippet: 'a\n\nb\r\ndata: c' } })
    emit({ type: 'progress', progress: { phase: 'scan', done: 3, total: 3, bytes: 42, findings } })
    await setTimeout(pause, undefined, { signal }).catch(error => {
      waited.push('scan aborted')
      throw error
    })
    if (fail === 'late') throw new EngineError('DISK', 'The write failed: ENOSPC.')
    return { run_id: 'r1', findings }
  },
  text: () => '',
})

const page = defineOperation({
  id: 'demo.page',
  summary: 'Send a page.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/page',
  mcp: null,
  input: type({ '+': 'reject' }),
  output: type({ content: 'string' }),
  raw: { field: 'content', type: () => 'text/html; charset=utf-8' },
  run: () => ({ content: '<h1>Report</h1>' }),
  text: output => output.content,
})

const here = defineOperation({
  id: 'demo.here',
  summary: 'Say hello on the command line only.',
  effect: 'read',
  cli: 'here',
  rest: null,
  mcp: null,
  input: type({ '+': 'reject' }),
  output: type({}),
  run: () => ({}),
  text: () => '',
})

const OPERATIONS = [show, store, fail, wait, scan, page, here] as unknown as Operation<never, never>[]

/** Rows and schemas as the generator makes them, of operations that are not in the manifest. */
export function manifestOf(operations: readonly Operation<never, never>[]): {
  rows: ManifestRow[]
  schemas: (id: string) => Schemas
} {
  const made = new Map<string, Schemas>()
  const rows = operations.map(op => {
    made.set(op.id, { input: op.input.toJsonSchema() as JsonSchema, output: op.output.toJsonSchema() as JsonSchema })
    return {
      id: op.id,
      summary: op.summary,
      effect: op.effect,
      cli: op.cli,
      rest: op.rest,
      mcp: op.mcp,
      short: {},
      examples: [],
      streams: op.streams ?? false,
      resident: false,
      raw: op.raw !== undefined,
      load: async () => ({ default: op }),
    }
  })
  return { rows, schemas: id => made.get(id)! }
}

export const { rows: ROWS, schemas } = manifestOf(OPERATIONS)
