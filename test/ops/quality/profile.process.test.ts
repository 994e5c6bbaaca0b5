import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import constraints from '../../../engine/ops/quality/constraints.ts'
import profile from '../../../engine/ops/quality/profile.ts'
import { context, refusal, view } from '../../made/call.ts'
import { project } from '../../made/project.ts'

const FILES = {
  'pyproject.toml': '[project]\nname = "shop"\ndependencies = [\n  "fastapi>=0.100",\n]\n',
  'uv.lock': 'version = 1\n',
  'src/domain/price_list.py': 'def read_all(path: str) -> str:\n    """Read."""\n    return path\n',
  'src/adapters/web_app.py': 'def get_price(item: str) -> int:\n    """Get."""\n    return 1\n',
  'docs/adr/0001-use-ports.md': '# Use ports\n\n## Status\n\nAccepted\n\nsrc/domain imports no adapter.\n',
  'docs/adr/0002-other.md': '# Other\n',
  'architecture.yaml':
    'forbidden:\n  - name: domain-is-pure\n    from: src/domain/**\n    to: src/adapters/**\n    reason: The domain knows no adapter.\n',
}

test('profile names the file that it writes, wherever the output is', async () => {
  const root = project(FILES)
  const answer = await profile.run({ show: false }, context(root, { env: { SVC_OUTPUT_DIR: 'build/svc' } }))
  expect(answer.file).toBe('build/svc/project-profile.json')
  expect(existsSync(join(root, answer.file))).toBe(true)
  expect(profile.text(answer, view)).toContain('Profile updated: build/svc/project-profile.json.')
})

test('profile shows what the repository is made of, with the file that shows it', async () => {
  const root = project(FILES)
  const answer = await profile.run({ show: true }, context(root))
  expect(answer.profile).toMatchObject({
    languages: [{ name: 'python', files: 2, test_files: 0 }],
    frameworks: [{ name: 'FastAPI', kind: 'web', source: { file: 'pyproject.toml', line: 4 } }],
    package_managers: [{ name: 'uv', source: { file: 'uv.lock' } }],
    architecture_patterns: [{ name: 'Hexagonal architecture', evidence: ['src/domain', 'src/adapters'] }],
    adrs: [
      { file: 'docs/adr/0001-use-ports.md', title: 'Use ports', status: 'Accepted' },
      { file: 'docs/adr/0002-other.md', title: 'Other' },
    ],
    tech_stack: { languages: ['python'], web: ['FastAPI'], package_managers: ['uv'] },
  })
  expect(answer.profile.modules.map(({ directory, purpose }) => [directory, purpose])).toContainEqual([
    'src/domain',
    'core of the program',
  ])
  expect(profile.text(answer, view)).toContain('FastAPI (web)  pyproject.toml:4')
})

test('the stored profile is used until a file changes', async () => {
  const root = project(FILES)
  const first = await profile.run({ show: false }, context(root))
  const again = await profile.run({ show: false }, context(root))
  expect([first.cached, again.cached]).toEqual([false, true])
  expect(again.profile).toEqual(first.profile)
  writeFileSync(join(root, 'src/domain/price_list.py'), 'def readAll(path):\n    return path\n')
  const changed = await profile.run({ show: false }, context(root))
  expect(changed.cached).toBe(false)
  expect(JSON.parse(readFileSync(join(root, 'out/project-profile.json'), 'utf8')).digest).toBe(changed.profile.digest)
  writeFileSync(join(root, 'out/project-profile.json'), '{"digest": ')
  expect((await profile.run({ show: false }, context(root))).cached).toBe(false)
})

test('--for shows the conventions, the architecture rules and the decisions of a path, planned ones too', async () => {
  const root = project(FILES)
  const answer = await profile.run({ show: false, for: 'src/domain/new_thing.py' }, context(root))
  expect(answer.constraints).toMatchObject({
    language: 'python',
    module: { directory: 'src/domain' },
    architecture_file: 'architecture.yaml',
    architecture: [
      { rule: 'domain-is-pure', text: 'Must not import src/adapters/**.', reason: 'The domain knows no adapter.' },
    ],
    adrs: [
      { title: 'Use ports', names_path: true },
      { title: 'Other', names_path: false },
    ],
  })
  expect(answer.constraints!.conventions).toContain('Function names: snake_case (2 of 2 names of several words)')
  expect(answer.constraints!.conventions).toContain('Types are written: 2 of 2 functions')
  const elsewhere = await profile.run({ show: false, for: 'src/adapters/x.py' }, context(root))
  expect(elsewhere.constraints!.architecture).toEqual([])
})

test('a layer that lists no imports may import those below it, and a template that check-arch writes is read', async () => {
  const layers =
    'layers:\n  - { name: top, paths: "src/top/**" }\n  - { name: middle, paths: "src/middle/**" }\n  - { name: low, paths: "src/low/**" }\n'
  const root = project({ 'architecture.yaml': `${layers}forbidden:\n  - { name: all, from: "**", to: "x/**" }\n` })
  const rulesOf = async (path: string) =>
    (await profile.run({ show: false, for: path }, context(root))).constraints!.architecture.map(({ text }) => text)
  expect(await rulesOf('src/top/a.ts')).toEqual(['Layer top: may import middle, low only.', 'Must not import x/**.'])
  expect(await rulesOf('src/low/a.ts')).toContain('Layer low: may import no other layer.')
})

test('get_design_constraints gives an agent the same, and writes nothing', async () => {
  const root = project(FILES)
  const answer = await constraints.run({ path: 'src/domain/new_thing.py' }, context(root, { surface: 'mcp' }))
  expect(answer).toMatchObject({ architecture: [{ rule: 'domain-is-pure' }], tech_stack: { web: ['FastAPI'] } })
  expect(existsSync(join(root, 'out'))).toBe(false)
})

test('a path outside of the project is refused', async () => {
  const root = project(FILES)
  expect(await refusal(() => profile.run({ show: false, for: '../x.py' }, context(root)))).toMatchObject({
    code: 'PATH_ESCAPES',
  })
})
