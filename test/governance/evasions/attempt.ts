import { write } from '../../made/folder.ts'
import { git } from '../../made/git.ts'
import { call, type Place, place, refused } from '../governed.ts'

/** The agent that tries to get round its limits: known by its marker, with a task in `src` under `block`. */
export const agent = { marker: 'CLAUDECODE' }

const SETTINGS = `task_binding: { enabled: true, enforcement: block }
agent_defaults: { queue_action: block }
rollback: { enabled: true }`

/** A place where the agent has a task for `src/**`, and the task's id. */
export async function tasked(files: Record<string, string> = {}, more = ''): Promise<Place & { id: string }> {
  const where = place(`${SETTINGS}\n${more}`.trim(), files)
  const { output } = await call(where, agent, 'governance.task-bind', { intent: 'work in src', path: ['src/**'] })
  return { ...where, id: output.session.id }
}

/** What the guard answers when the agent's tool is about to write a path. */
export async function writing(where: Place, file_path: string): Promise<{ decision: string; reason: string }> {
  return hooked(where, 'Write', { file_path, content: 'x' })
}

/** What the guard answers when the agent is about to run a shell command. */
export async function running(where: Place, command: string): Promise<{ decision: string; reason: string }> {
  return hooked(where, 'Bash', { command })
}

/** What the guard answers when the agent is about to use any tool. */
export async function using(where: Place, tool: string, input: object): Promise<{ decision: string; reason: string }> {
  return hooked(where, tool, input)
}

async function hooked(where: Place, tool_name: string, tool_input: object) {
  const message = JSON.stringify({ hook_event_name: 'PreToolUse', cwd: where.root, tool_name, tool_input })
  const { output } = await call(where, agent, 'governance.agent-hook', {}, { readStdin: async () => message })
  return output as { decision: string; reason: string }
}

/** What completing the task comes to: git is asked what was changed. */
export async function completing(where: Place & { id: string }) {
  return (await call(where, agent, 'governance.task-complete', { id: where.id })).output
}

export { call, git, place, refused, write }
