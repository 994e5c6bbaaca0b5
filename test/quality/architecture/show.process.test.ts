import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import check from '../../../engine/ops/architecture/check.ts'
import { refusal, view } from '../../made/call.ts'
import { project } from '../../made/project.ts'
import { checkArch } from './check-arch.ts'

const FILES = {
  'src/a.ts': "import './b'\nimport type { B } from './b'\nimport './c'\n",
  'src/b.ts': "import './<evil>'\nexport {}\n",
  'src/c.ts': "import type { A } from './a'\n",
  'architecture.yaml': 'forbidden:\n  - { name: no-b, from: src/a.ts, to: src/b.ts, reason: "<b> is old." }\n',
}

describe('the import graph', () => {
  it('is Mermaid: dotted for types alone, red for what violates a rule', async () => {
    const { graph } = await checkArch(project(FILES), { graph: 'mermaid' })
    expect(graph!.split('\n')).toEqual([
      'flowchart LR',
      '  n0["src/a.ts"]',
      '  n1["src/b.ts"]',
      '  n2["src/c.ts"]',
      '  n0 -->|2, 2 violating| n1',
      '  n0 --> n2',
      '  n2 -.-> n0',
      '  linkStyle 0 stroke:#c00,stroke-width:2px',
      '',
    ])
  })

  it('is DOT', async () => {
    const { graph } = await checkArch(project(FILES), { graph: 'dot' })
    expect(graph).toContain('n0 -> n1 [label="2", color="#cc0000"];')
    expect(graph).toContain('n2 -> n0 [style=dashed];')
  })

  it('is JSON with every import, its kind and its line, needs no rules, and is the same each time', async () => {
    const { 'architecture.yaml': _, ...files } = FILES
    const root = project(files)
    const { graph, rules } = await checkArch(root, { graph: 'json' })
    expect(rules).toBeNull()
    expect(JSON.parse(graph!).imports[1]).toEqual({
      ...{ from: 'src/a.ts', to: 'src/b.ts', target: 'file', kind: 'type', line: 2, specifier: './b' },
    })
    expect((await checkArch(root, { graph: 'json' })).graph).toBe(graph)
  })

  it('shows directories where there are more than 60 files', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 70 }, (_, index) => [`${index % 2 ? 'a' : 'b'}/f${index}.ts`, "import '../a/f1'\n"]),
    )
    const { graph } = await checkArch(project(many), { graph: 'mermaid' })
    expect(graph!.split('\n').slice(1, 4)).toEqual(['  n0["a/"]', '  n1["b/"]', '  n1 -->|35| n0'])
  })

  it('is a page that requests nothing and runs its own script alone', async () => {
    const root = project(FILES)
    const { written, graph } = await checkArch(root, { graph: 'html', output: 'out/imports.html' })
    expect([written, graph]).toEqual(['out/imports.html', undefined])
    const page = readFileSync(join(root, 'out/imports.html'), 'utf8')
    expect(page).toMatch(
      /Content-Security-Policy" content="default-src 'none'; script-src 'sha256-[^' ]+'; style-src 'sha256-[^' ]+'/,
    )
    expect(page).not.toMatch(/https?:|<img|<link|\ssrc=/)
    expect(page).toContain('&#60;b&#62; is old.')
    expect(page).not.toContain('<evil>')
  })

  it('is written nowhere where no format is named', async () => {
    const root = project(FILES)
    expect((await refusal(() => checkArch(root, { output: 'x.json' }))).code).toBe('INPUT_INVALID')
    expect(existsSync(join(root, 'x.json'))).toBe(false)
  })
})

describe('the text of a check', () => {
  it('has violations by rule with their reason, and what is unresolved', async () => {
    const result = await checkArch(project(FILES))
    const text = check.text(result as never, view)
    expect(text).toContain('no-b  2 violations, high')
    expect(text).toContain('<b> is old.')
    expect(text).toContain('src/a.ts:1  src/a.ts imports src/b.ts, which no-b forbids.')
    expect(text).toContain('Unresolved imports: 1 lead nowhere.')
    expect(check.exit!(result as never)).toBe(1)
  })
})
