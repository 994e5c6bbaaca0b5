import { code, plain } from '../../assure/reports/markdown-text.ts'
import type { PlannedFix } from '../../supply/fixes/plan.ts'
import { TRAILER } from './commit.ts'

/** Title and text of the pull request for fixes of one package, and the message of its commit. */
export function describeFix(group: readonly PlannedFix[]): { title: string; body: string; message: string } {
  const { package: name, from, to, ecosystem } = group[0]!.change
  const advisories = [...new Set(group.flatMap(({ change }) => change.removes))].sort()
  const clean = (text: string) => text.replace(/[^\x20-\x7e]+/g, '?')
  const title = clean(`Update ${name} to ${to.replace(/^[^0-9v]*/, '')}`).slice(0, 200)
  const changes = group.map(
    ({ change }) => `| ${code(`${change.file}:${change.line ?? 1}`)} | ${code(change.from)} | ${code(change.to)} |`,
  )
  const isBreaking = group.some(({ change }) => change.breaking)
  const locks = [...new Set(group.map(({ change }) => change.lock_command))]
  const body = [
    `Removes known vulnerabilities of ${plain(name)} (${plain(ecosystem)}):`,
    advisories.map(id => `- [${plain(id)}](https://osv.dev/vulnerability/${encodeURIComponent(id)})`).join('\n'),
    ['| file | from | to |', '|---|---|---|', ...changes].join('\n'),
    ...(isBreaking ? ['**The major version changes:** read its release notes before merging.'] : []),
    `Renew the lock file on this branch: ${locks.map(code).join(', ')}`,
    '<sub>Opened by svc. It updates this pull request as long as nobody else commits to the branch; closed, it is not opened again.</sub>',
  ].join('\n\n')
  const message = `${title}\n\nFrom ${clean(from)}. Removes ${advisories.join(', ') || 'known vulnerabilities'}.\n\n${TRAILER}: ${clean(`${ecosystem}/${name}@${to}`)}\n`
  return { title, body, message }
}
