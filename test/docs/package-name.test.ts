import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT, textOf } from '../root.ts'
import { projectFiles } from '../sources.ts'

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  name: string
  bin: Record<string, string>
  devDependencies: Record<string, string>
}

/** npx with flags and a package, in a shell's words or in those of a JSON list; prose has no such words behind it. */
const NPX = /\bnpx(?:\s+|"\s*,\s*"args"\s*:\s*\[\s*")((?:-{1,2}[\w-]+["',\s]+)*)([@\w/.-]+)/g

/** What a user is told to run: documentation, templates, and the texts of the program. */
const told = projectFiles().filter(
  path =>
    /^(README\.md|CHANGELOG\.md|action\.yml|\.pre-commit-hooks\.yaml|docs\/(?!rules\/|accuracy)|engine\/|cli\/|api\/|mcp\/)/.test(
      path,
    ) && /\.(md|ya?ml|ts|tsx|html|js|json)$/.test(path),
)

const commands = told.flatMap(path =>
  [...textOf(path).matchAll(NPX)].map(([, flags, name]) => ({ path, flags: flags!, name: name! })),
)

describe('npx in what a user is told to run', () => {
  it('names the package of this project, a tool of its own, or the command with --no', () => {
    const strange = commands.filter(
      ({ name, flags }) =>
        name !== manifest.name &&
        !Object.hasOwn(manifest.devDependencies, name) &&
        !(Object.hasOwn(manifest.bin, name) && /--no\b/.test(flags)),
    )
    expect(strange).toEqual([])
  })

  it('is found where there is some, in the README and in the configuration of an MCP client', () => {
    expect(commands).toContainEqual({ path: 'README.md', flags: '--no ', name: 'svc' })
    expect(commands.some(({ path, name }) => path === 'docs/mcp.md' && name === 'svc')).toBe(true)
  })

  it('never fetches the command by its name, which is that of another package', () => {
    expect(manifest.name).not.toBe('svc')
    expect(Object.keys(manifest.bin)).toEqual(['svc'])
  })
})
