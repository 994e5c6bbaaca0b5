import { expect } from 'vitest'
import { type ImportOptions, importSarif } from '../../engine/findings/import-sarif.ts'

// SARIF logs as tools write them, around the results that a test is about.
export const FILES: Record<string, string> = {
  'src/app.py': 'import os\nos.system(name)\n\nprint("ä😀", eval(x))\n',
  'src/a b/ünï.js': 'eval(a)\n',
  'package-lock.json': '{\n  "name": "x"\n}\n',
  'README.md': '# x\n',
}
export const OPTIONS: ImportOptions = {
  root: '/home/me/project',
  name: 'semgrep',
  has: path => path in FILES,
  textOf: path => FILES[path],
  excluded: path => path.startsWith('vendor/'),
}
export const log = (run: object, more: object = {}) => JSON.stringify({ version: '2.1.0', ...more, runs: [run] })
export const at = (uri: string, region: object = { startLine: 2 }, more: object = {}) => ({
  physicalLocation: { artifactLocation: { uri, ...more }, region },
})
export const result = (more: object = {}) => ({
  ruleId: 'r1',
  message: { text: 'Something is wrong.' },
  locations: [at('src/app.py')],
  ...more,
})
export const load = (results: readonly unknown[], run: object = {}, options: Partial<ImportOptions> = {}) =>
  importSarif(log({ tool: { driver: { name: 'T', rules: [] } }, results, ...run }), { ...OPTIONS, ...options })
export const one = (more: object = {}, run: object = {}) => {
  const { findings } = load([result(more)], run)
  expect(findings).toHaveLength(1)
  return findings[0]!
}
export const rules = (...list: object[]) => ({ tool: { driver: { name: 'T', rules: list } } })
