import { type } from 'arktype'
import { defineOperation } from '../../operation.ts'
import { answerTo, spoken } from '../hook/answer.ts'

export default defineOperation({
  id: 'governance.agent-hook',
  summary: "Answer a coding agent's hook: whether what its tool is about to do is permitted.",
  effect: 'read',
  action: null,
  unbound: true,
  cli: 'agent-hook',
  rest: null,
  mcp: null,
  input: type({ '+': 'reject' }),
  output: type({
    decision: type.enumerated('allow', 'ask', 'deny').configure({ description: 'what the agent is told' }, 'self'),
    reason: 'string',
    protocol: type.enumerated('claude', 'codex', 'gemini', 'cursor', 'copilot', 'windsurf').or('null'),
    when: "'before' | 'after'",
    tool: 'string',
    paths: type('string[]').describe('absolute paths that the tool would write, as far as its input tells'),
    response: type('string').describe("the answer in the agent's own protocol"),
  }),
  examples: [['svc hook install --agent claude-code', 'have an agent ask before each change']],

  async run(_input, context) {
    const text = (await context.readStdin?.()) ?? ''
    const told = await answerTo(text, { id: 'governance.agent-hook', summary: 'A tool of the agent' }, context)
    const response = spoken(told)
    // Where the protocol has no words for it, the exit code speaks, and the reason goes to standard error.
    if (told.decision !== 'allow' && response === '') context.notice(told.reason)
    return { ...told, response }
  },

  text: ({ response }) => response,

  exit: ({ decision, response }) => (decision !== 'allow' && response === '' ? 2 : 0),
})
