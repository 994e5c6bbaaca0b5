import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import {
  type CallToolResult,
  type ContentBlock,
  createRequestStateCodec,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server'

// What the conformance suite asks a server for by name: tools that show each kind of content and each flow of the protocol. The names and
// texts are those of the suite's scenarios; the rest is up to the server.

type Answer = CallToolResult | InputRequiredResult
type Run = (context: ServerContext, input: Record<string, unknown>) => Answer | Promise<Answer>

/** A red pixel, and no sound. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const WAV = Buffer.concat([
  Buffer.from(
    'RIFF\u0024\0\0\0WAVEfmt \u0010\0\0\0\u0001\0\u0001\0\u0040\u001f\0\0\u0040\u001f\0\0\u0001\0\u0008\0data\0\0\0\0',
    'latin1',
  ),
]).toString('base64')

const text = (said: string): ContentBlock => ({ type: 'text', text: said })
const say = (...content: ContentBlock[]): CallToolResult => ({ content })
const image: ContentBlock = { type: 'image', data: PNG, mimeType: 'image/png' }
const embedded = (uri: string, mimeType: string, said: string): ContentBlock => ({
  type: 'resource',
  resource: { uri, mimeType, text: said },
})

const states = createRequestStateCodec<{ round: number }>({ key: randomBytes(32) })

function ask(message: string, field: string): InputRequest {
  const properties = { [field]: { type: 'string' as const } }
  return inputRequired.elicit({
    mode: 'form',
    message,
    requestedSchema: { type: 'object', properties, required: [field] },
  })
}

const sample = (question: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: question } }], maxTokens })

/** What the client answered to a question; undefined where it has not, or in another shape. */
function answered({ mcpReq }: ServerContext, key: string): Record<string, unknown> | undefined {
  const answers: unknown = mcpReq.inputResponses
  const answer = typeof answers === 'object' && answers !== null ? (answers as Record<string, unknown>)[key] : undefined
  return typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : undefined
}

/** Asks until there is an answer, then says it. */
const askFor =
  (key: string, question: InputRequest): Run =>
  context => {
    const answer = answered(context, key)
    return answer ? say(text(JSON.stringify(answer))) : inputRequired({ inputRequests: { [key]: question } })
  }

/** The round that the client's state names, 0 without one; InvalidParams for a state that was not given out here. */
async function readRound(context: ServerContext): Promise<number> {
  const state: unknown = context.mcpReq.requestState()
  if (state === undefined) return 0
  try {
    return (await states.verify(String(state), context)).round
  } catch (cause) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The state is not one of this server.', { cause })
  }
}

const tell = async ({ mcpReq }: ServerContext): Promise<CallToolResult> => {
  for (const said of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    await mcpReq.log('info', said, 'suite')
    await setTimeout(50)
  }
  return say(text('Three messages were sent.'))
}

/** The tools by name. */
const RUNS: Record<string, Run> = {
  test_simple_text: () => say(text('This is a simple text response for testing.')),
  test_image_content: () => say(image),
  test_audio_content: () => say({ type: 'audio', data: WAV, mimeType: 'audio/wav' }),
  test_embedded_resource: () =>
    say(embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')),
  test_multiple_content_types: () =>
    say(
      text('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ),
  test_error_handling: () => ({ isError: true, ...say(text('This tool intentionally returns an error for testing')) }),
  test_tool_with_logging: tell,
  test_logging_tool: tell,
  test_tool_with_progress: async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      const params = { progressToken: progressToken!, progress, total: 100 }
      if (progressToken !== undefined) await mcpReq.notify({ method: 'notifications/progress', params })
      await setTimeout(50)
    }
    return say(text('Done.'))
  },
  test_missing_capability: ({ mcpReq }) => {
    const envelope = mcpReq.envelope as Record<string, { sampling?: object } | undefined> | undefined
    if (envelope?.['io.modelcontextprotocol/clientCapabilities']?.sampling) return say(text('It is declared.'))
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
  },
  test_streaming_elicitation: askFor('user_name', ask('What is your name?', 'name')),
  test_input_required_result_elicitation: askFor('user_name', ask('What is your name?', 'name')),
  test_input_required_result_sampling: askFor('capital_question', sample('What is the capital of France?', 100)),
  test_input_required_result_list_roots: askFor('client_roots', inputRequired.listRoots()),
  test_input_required_result_capabilities: ({ mcpReq }) => {
    const envelope = mcpReq.envelope as Record<string, Record<string, object> | undefined> | undefined
    const declared = envelope?.['io.modelcontextprotocol/clientCapabilities'] ?? {}
    return inputRequired({
      inputRequests: {
        ...(declared.sampling && { greeting: sample('Generate a greeting', 50) }),
        ...(declared.elicitation && { user_name: ask('What is your name?', 'name') }),
      },
    })
  },
  test_input_required_result_multiple_inputs: async context => {
    const keys = ['user_name', 'greeting', 'client_roots']
    if ((await readRound(context)) === 1 && keys.every(key => answered(context, key))) return say(text('All is known.'))
    return inputRequired({
      inputRequests: {
        user_name: ask('What is your name?', 'name'),
        greeting: sample('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await states.mint({ round: 1 }, context),
    })
  },
  test_input_required_result_request_state: confirmWithState,
  test_input_required_result_tampered_state: confirmWithState,
  test_input_required_result_multi_round: async context => {
    const round = await readRound(context)
    if (round === 2 && answered(context, 'step2')) return say(text('Both steps are done.'))
    const isSecond = round >= 1 && answered(context, 'step1') !== undefined
    return inputRequired({
      inputRequests: isSecond
        ? { step2: ask('Step 2: What is your favorite color?', 'color') }
        : { step1: ask('Step 1: What is your name?', 'name') },
      requestState: await states.mint({ round: isSecond ? 2 : 1 }, context),
    })
  },
}

const CONFIRM = inputRequired.elicit({
  mode: 'form',
  message: 'Please confirm',
  requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
})

async function confirmWithState(context: ServerContext): Promise<Answer> {
  const round = await readRound(context)
  if (round === 1 && answered(context, 'confirm')) return say(text('state-ok'))
  return inputRequired({
    inputRequests: { confirm: CONFIRM },
    requestState: await states.mint({ round: 1 }, context),
  })
}

const SCHEMA = 'https://json-schema.org/draft/2020-12/schema'

/** A schema with the keywords that a server must hand on as they are. */
const SCHEMA_TOOL: Tool = {
  name: 'json_schema_2020_12_tool',
  description: 'Tool with JSON Schema 2020-12 features',
  inputSchema: {
    $schema: SCHEMA,
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  },
}

/** The tools as a client lists them. */
export const FIXTURE_TOOLS: Tool[] = [
  ...Object.keys(RUNS).map(name => ({
    name,
    description: 'A tool of the conformance suite.',
    inputSchema: { type: 'object' as const, properties: {} },
  })),
  SCHEMA_TOOL,
]

/** Runs a tool of the suite; undefined where it has none of this name. */
export function runFixture(
  name: string,
  input: Record<string, unknown>,
  context: ServerContext,
): Answer | Promise<Answer> | undefined {
  return Object.hasOwn(RUNS, name) ? RUNS[name]!(context, input) : undefined
}

/** The prompt that asks for what it is to be about. */
export const askForContext = (context: ServerContext) => {
  const answer = answered(context, 'user_context')
  if (answer)
    return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text: JSON.stringify(answer) } }] }
  return inputRequired({ inputRequests: { user_context: ask('What context should the prompt use?', 'context') } })
}
