import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../root.ts'

/**
 * The environment of a scan with the repository's own rules alone. What is asked of a cache, a change or a setting has the same answer
 * with a thousand rules more, whose selection and whose texts in the reports are most of what a scan of five files costs.
 */
export const OWN_RULES: Record<string, string> = {
  SVC_PACKS_DISABLE: readdirSync(join(ROOT, 'packs'), { withFileTypes: true })
    .filter(({ name }) => existsSync(join(ROOT, 'packs', name, 'pack.yaml')))
    .map(({ name }) => name)
    .join(','),
}

/** A regex rule of the repository's own: the file `.svc/rules/<id>.yaml`. The word it finds is in its id. */
export function wordRule(word: string, more = ''): Record<string, string> {
  const id = `local-${word}`
  const text = [
    `id: ${id}`,
    'type: regex',
    `title: The word ${word}`,
    `message: Somebody wrote ${word}.`,
    ...(more.includes('severity:') ? [] : ['severity: high']),
    'languages: [any]',
    ...(more.includes('regex:') ? [] : [`regex: '\\b${word}\\b'`]),
    `remediation: Do not write ${word}.`,
    ...(more.includes('match:') ? [] : [`match: ['the ${word}']`, "clean: ['nothing of the kind']"]),
    more,
  ]
  return { [`.svc/rules/${id}.yaml`]: `${text.join('\n')}\n` }
}

/** A rule of syntax of the repository's own, which finds the calls of a function in Python: the file `.svc/rules/<id>.yaml`. */
export function callRule(name: string): Record<string, string> {
  const id = `local-${name}`
  const lines = [
    `id: ${id}`,
    'type: ast',
    `title: A call of ${name}`,
    `message: Somebody calls ${name}.`,
    'severity: high',
    'languages: [python]',
    `rule: { pattern: '${name}($A)' }`,
    `remediation: Do not call ${name}.`,
    `match: ['${name}(1)']`,
    "clean: ['nothing()']",
  ]
  return { [`.svc/rules/${id}.yaml`]: `${lines.join('\n')}\n` }
}

/** A rule over the list of files: the file `.svc/rules/<id>.yaml`. */
export function policy(id: string, check: string, match: string, clean: string, more = ''): Record<string, string> {
  const lines = [
    `id: ${id}`,
    'type: file_policy',
    `title: ${id}`,
    'message: The list of files is not as it was agreed.',
    'severity: medium',
    'languages: [any]',
    `check: { ${check} }`,
    more,
    'remediation: Mend the list.',
    `match: [{ path: ${match}, code: "" }]`,
    `clean: [{ path: ${clean}, code: "" }]`,
  ]
  return { [`.svc/rules/${id}.yaml`]: lines.filter(Boolean).join('\n') }
}
