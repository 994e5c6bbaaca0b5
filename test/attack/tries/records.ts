import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import type { Ran } from '../../made/command-line.ts'
import { demand, demandFailed, type Ground, type Try } from '../ground.ts'

const CONFIG = `governance:
  task_binding: { enabled: true, enforcement: block }
  rollback: { enabled: true }
`
const STATE = '.svc/local/state.db'

/** A repository under governance, in which an agent has changed a file outside the paths of its task. */
async function violate(ground: Ground): Promise<{ env: Record<string, string> }> {
  ground.write({ '.svc/config.yaml': CONFIG, 'src/a.py': 'print(1)\n', 'doc/b.md': 'b\n' })
  ground.commit('govern')
  const registered = await ground.svc(['agent-register', 'builder', '--json'])
  const [credential] = /svc_agent_[\w-]+/.exec(registered.out) ?? []
  demand(credential !== undefined, 'no credential was printed', registered)
  const env = { SVC_AGENT_KEY: credential }
  const bound = await ground.svc(['task-bind', 'work', '--path', 'src/**'], env)
  demand(bound.code === 0, 'the task could not be bound', bound)
  ground.write({ 'doc/b.md': 'changed\n' })
  demandFailed(await ground.svc(['gate'], env), 'doc/b.md')
  return { env }
}

function edit(ground: Ground, sql: string): void {
  const database = new DatabaseSync(ground.at(STATE))
  database.exec(sql)
  database.close()
}

/** The gate fails, and the log does not verify, whoever asks. */
async function demandNamed(ground: Ground, env: Record<string, string>): Promise<void> {
  demandFailed(await ground.svc(['gate'], env))
  const verified: Ran = await ground.svc(['audit', 'verify'])
  demand(verified.code !== 0, 'the audit log verifies as intact', verified)
}

/** Rows of the records, edited with another program. */
const EDITS: Record<string, string> = {
  'the status and the violations of its task': `UPDATE sessions SET status = 'active', violations = '[]'`,
  'the commit that its task began at': `UPDATE sessions SET git_sha = '${'0'.repeat(40)}'`,
  'the paths of its task': `UPDATE sessions SET authorized_paths = '["**"]'`,
  'its task out of the records': 'DELETE FROM sessions',
  'its own scopes': `UPDATE agents SET scopes = '["*"]'`,
  'the pinned policy out of the records': `DELETE FROM meta WHERE key = 'policy'`,
  'an approval that nobody gave': `INSERT INTO approvals (id, type, title, context, subject_digest, requester, status, created_at, expires_at) VALUES ('AP-000000000000', 'rollback', '', '', 'x', 'builder', 'approved', '2020', '2999')`,
  'the seals out of the records': 'DELETE FROM seals',
  'the last entries of the log': 'DELETE FROM audit WHERE seq > 2',
}

export const records: Try[] = [
  ...Object.entries(EDITS).map(
    ([what, sql]): Try => ({
      name: `an agent that edits ${what}`,
      holds: 'every record that a decision rests on is sealed by the audit log',
      attack: async ground => {
        const { env } = await violate(ground)
        edit(ground, sql)
        await demandNamed(ground, env)
      },
    }),
  ),
  {
    name: 'an agent that removes .svc/local',
    holds: 'the witness outside the repository is asked first',
    attack: async ground => {
      await violate(ground)
      rmSync(ground.at('.svc/local'), { recursive: true })
      const verified = await ground.svc(['audit', 'verify'])
      demand(verified.code !== 0, 'the first verification says that the log is intact', verified)
    },
  },
  {
    name: 'an agent that removes .svc/local and empties the configuration',
    holds: 'governance that was switched off fails the gate until a person approves',
    attack: async ground => {
      await violate(ground)
      rmSync(ground.at('.svc/local'), { recursive: true })
      ground.write({ '.svc/config.yaml': '' })
      demandFailed(await ground.svc(['gate'], { CLAUDECODE: '1' }), 'switched off')
    },
  },
  {
    name: 'an agent that puts an older copy of .svc/local back',
    holds: 'the witness knows of later entries',
    attack: async ground => {
      ground.write({ '.svc/config.yaml': CONFIG })
      ground.commit('govern')
      await ground.svc(['agent-register', 'other', '--json'])
      cpSync(ground.at('.svc/local'), ground.beside('older'), { recursive: true })
      const { env } = await violate(ground)
      rmSync(ground.at('.svc/local'), { recursive: true })
      cpSync(ground.beside('older'), ground.at('.svc/local'), { recursive: true })
      await demandNamed(ground, env)
    },
  },
  {
    name: 'an agent that relaxes the configuration of its governance',
    holds: 'the policy is pinned, and .svc is protected whatever the paths of a task',
    attack: async ground => {
      const { env } = await violate(ground)
      ground.write({ '.svc/config.yaml': CONFIG.replace('block', 'warn').replace('enabled: true', 'enabled: false') })
      demandFailed(await ground.svc(['gate'], env))
    },
  },
  {
    name: 'records that are a pipe',
    holds: 'records are a regular file, and a gate without them fails',
    attack: async ground => {
      const { env } = await violate(ground)
      rmSync(ground.at(STATE))
      execFileSync('mkfifo', [ground.at(STATE)])
      const ran = ground.program(['gate'], env)
      demand(ran.code !== 0 && ran.code !== 70, 'the gate passed, or failed inside', ran)
    },
  },
  {
    name: 'records that are garbage',
    holds: 'records that cannot be read fail the gate',
    attack: async ground => {
      const { env } = await violate(ground)
      for (const name of readdirSync(ground.at('.svc/local')))
        if (name.startsWith('state.db')) writeFileSync(join(ground.at('.svc/local'), name), 'garbage'.repeat(2000))
      const ran = await ground.svc(['gate'], env)
      demand(ran.code !== 0 && ran.code !== 70, 'the gate passed, or failed inside', ran)
    },
  },
  {
    name: 'an agent that gives itself the approval it asked for',
    holds: 'no credential of an agent approves, and nobody approves their own request',
    attack: async ground => {
      const { env } = await violate(ground)
      const asked = await ground.svc(['request-approval', 'scope_violation', '--title', 'x', '--json'], env)
      const [id] = /AP-[0-9a-f]{12}/.exec(asked.out) ?? []
      demand(id !== undefined, 'no approval was requested', asked)
      const ran = await ground.svc(['approve', id], env)
      demand(ran.code !== 0, 'the agent approved its own request', ran)
    },
  },
  {
    name: 'an agent that raises its own trust with a delegation',
    holds: 'trust can only narrow along a delegation',
    attack: async ground => {
      const { env } = await violate(ground)
      const listed = await ground.svc(['task-list', '--all', '--json'], env)
      const [id] = /TS-[0-9a-f]{12}/.exec(listed.out) ?? []
      demand(id !== undefined, 'no task is listed', listed)
      const ran = await ground.svc(['task-delegate', 'more', '--parent', id, '--trust', 'admin'], env)
      demand(ran.code !== 0, 'trust was raised', ran)
    },
  },
]
