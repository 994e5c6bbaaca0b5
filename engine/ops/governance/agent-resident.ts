import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { HeldRecords } from '../../governance/daemon/held-records.ts'
import { runDaemon } from '../../governance/daemon/server.ts'
import { makeAnswer } from '../../governance/hook/answer.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'

export default defineOperation({
  id: 'governance.agent-resident',
  summary: 'Run a daemon that answers agent hooks without startup time; exits when idle.',
  effect: 'read',
  action: null,
  unbound: true,
  resident: true,
  cli: 'agent-resident',
  rest: null,
  mcp: null,
  input: type({ '+': 'reject' }),
  output: type({ ended: type('true').describe('the daemon exited after an idle period') }),

  async run(_input, context) {
    const root = findRepositoryRoot(context.cwd)
    const held = new HeldRecords()
    try {
      await runDaemon(root, context, async ({ text, cwd, env, pid }) => {
        const notices: string[] = []
        const told = await makeAnswer(text, {
          surface: 'cli',
          cwd,
          env,
          caller: { terminal: false, ...(pid !== undefined && { pid }) },
          signal: context.signal,
          emit: () => {},
          openRecords: (folder, options) => held.open(folder, options),
          notice: notice => void notices.push(notice),
        })
        return JSON.stringify({ told, notices })
      })
    } finally {
      held.close()
    }
    return { ended: true as const }
  },

  text: () => '',
})
