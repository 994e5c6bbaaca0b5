import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { askResident } from '../../governance/daemon/client.ts'
import { makeAnswer } from '../../governance/hook/answer.ts'

type Answered = { told: Awaited<ReturnType<typeof makeAnswer>>; notices: string[] }
const answered = (text: string) => JSON.parse(text) as Answered

export default defineOperation({
  id: 'governance.agent-hook',
  summary: "Evaluate a coding agent's hook: allow or deny a tool call.",
  effect: 'read',
  action: null,
  unbound: true,
  cli: 'agent-hook',
  rest: null,
  mcp: null,
  input: type({ '+': 'reject' }),
  output: type({
    decision: type
      .enumerated('allow', 'ask', 'deny')
      .configure({ description: 'the decision returned to the agent' }, 'self'),
    reason: 'string',
    protocol: type.enumerated('claude', 'codex', 'gemini', 'cursor', 'copilot', 'windsurf').or('null'),
    when: "'before' | 'after'",
    tool: 'string',
    paths: type('string[]').describe('absolute paths that the tool would write, according to its input'),
    response: type('string').describe("the response in the agent's own protocol"),
  }),
  examples: [['svc hook install --agent claude-code', 'check each change of an agent before it is made']],

  async run(_input, context) {
    const text = (await context.readStdin?.()) ?? ''
    const asked = await askResident(text, context)
    const own = typeof asked !== 'object'
    const { told, notices } = own ? { told: await makeAnswer(text, context), notices: [] } : answered(asked.answer)
    for (const notice of notices) context.notice(notice)
    // The next one need not wait for a start.
    if (asked === 'absent') context.stayBehind?.('agent-resident')
    return told
  },

  text: ({ response }) => response,

  exit: ({ decision, response }) => (decision !== 'allow' && response === '' ? 2 : 0),
})
