import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../../root.ts'

/** Not on the page by themselves: parts of others that are, and what needs an answer of the server. */
const APART = new Set([
  ...['Frame', 'Grid', 'Heading', 'Path'],
  ...['FindingDetail', 'FixDiff', 'SaveButton', 'SuppressDialog', 'UndoSuppression', 'VirtualRows'],
])

const read = (path: string) => readFileSync(join(ROOT, 'api/dashboard', path), 'utf8')

it('the page of the design shows every component and chart', () => {
  const shown = ['pages/design.tsx', 'pages/design/charts.tsx'].map(read).join('\n')
  const components = ['components', 'charts'].flatMap(folder =>
    readdirSync(join(ROOT, 'api/dashboard', folder))
      .filter(name => name.endsWith('.tsx'))
      .flatMap(name =>
        [...read(`${folder}/${name}`).matchAll(/^export function ([A-Z]\w*)/gm)].map(([, each]) => each!),
      ),
  )
  expect(components.length).toBeGreaterThan(30)
  expect(components.filter(name => !APART.has(name) && !shown.includes(`<${name}`))).toEqual([])
  expect([...APART].filter(name => !components.includes(name))).toEqual([])
})

it('the page of the design shows every color of the tokens', () => {
  const tokens = readFileSync(join(ROOT, 'engine/assure/reports/html/page/tokens.css'), 'utf8')
  const colors = new Set([...tokens.matchAll(/--([\w-]+): #/g)].map(([, name]) => name!))
  const page = read('pages/design/tokens.tsx')
  expect([...colors].filter(name => !page.includes(`'${name}'`))).toEqual([])
})
