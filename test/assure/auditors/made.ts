import { execFileSync } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { createApi } from '../../../api/server.ts'
import { OPERATIONS } from '../../../engine/door/operations.gen.ts'
import { loadSchemas } from '../../../engine/door/schemas.ts'
import { runHere } from '../../made/command-line.ts'
import { folder, write } from '../../made/folder.ts'

const PHRASE = ['sesame', 'open', '42'].join('-')
/** Strings that are in the code and settings of the project, and may be in no answer to an auditor. */
export const SECRETS = [PHRASE, 'yaml.load(text', 'hooks.secret.example', 'internal/billing', 'services/payments']
/** Files of the project, each with its directory. */
export const FILES = ['services/payments/app.py', 'internal/billing/run me.py', 'docs/policies/access.md']

export interface Portal {
  root: string
  base: string
  svc(...args: string[]): Promise<{ code: number | null; out: string }>
  /** A token of `svc auditor create`. */
  token(...args: string[]): Promise<string>
}

/** A scanned project with evidence, served with a key as the program serves it. */
export async function startPortal(): Promise<Portal> {
  const root = folder()
  const env = { PATH: process.env.PATH!, HOME: folder(), XDG_STATE_HOME: folder(), GUARD_RATE_LIMIT_ENABLED: 'false' }
  write(root, {
    '.gitignore': 'out/\n',
    [FILES[0]!]: `import yaml\n\nPASSWORD = "${PHRASE}"\n\n\ndef load(text):\n    return yaml.load(text, Loader=yaml.Loader)\n`,
    [FILES[1]!]: 'import pickle\n\n\ndef read(data):\n    return pickle.loads(data)\n',
    [FILES[2]!]: '# Access\n\nReviewed each quarter.\n',
    '.svc/config.yaml':
      'packs:\n  enable: [owasp-top-10-2021, soc2-tsc-2017]\ngrc_webhook_url: https://hooks.secret.example/T123\n',
  })
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Kim', '-c', 'user.email=k@x.org', ...args], { cwd: root })
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('commit', '-qm', 'first')
  const svc = (...args: string[]) => runHere(args, { cwd: root, env })
  await svc('gate')
  await svc('evidence', 'add', 'soc2-tsc-2017:CC6.1', '--file', FILES[2]!, '--title', 'Access policy', '--owner', 'Kim')
  const app = createApi({
    rows: OPERATIONS,
    schemas: loadSchemas,
    cwd: root,
    env,
    notice: () => {},
    host: '127.0.0.1',
    key: 'api-key',
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  return {
    ...{ root, svc, base: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` },
    async token(...args) {
      const { code, out } = await svc(
        'auditor',
        'create',
        '--name',
        'Ada Byron',
        '--email',
        'ada@audit.example',
        '--json',
        ...args,
      )
      if (code !== 0) throw new Error(out)
      return (JSON.parse(out) as { token: string }).token
    },
  }
}
