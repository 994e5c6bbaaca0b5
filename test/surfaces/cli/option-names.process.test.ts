import { expect, it } from 'vitest'
import { runHere } from '../../made/command-line.ts'
import { project } from '../../made/project.ts'

it.each([
  ['check-expertise --git-range a..b --staged', '--git-range and --staged exclude each other.'],
  ['scan --dry-run --shard 1/2', '--dry-run and --shard exclude each other: a shard is scanned to be written.'],
  ['check-arch --output x.html', '--output needs --graph: name a format of the import graph.'],
  ['check-arch --init --config x.yaml', '--init writes architecture.yaml and takes neither --config nor --graph.'],
  ['duplicates nothing/here', '<paths>: "nothing/here" has no source file of the repository.'],
])('an error of `svc %s` names options as they are typed', async (line, message) => {
  const root = project({ 'a.ts': 'export {}\n' })
  const env = { PATH: process.env.PATH!, HOME: root }
  const { code, err } = await runHere(line.split(' '), { cwd: root, env })
  expect(code).toBeGreaterThanOrEqual(64)
  expect(err).toContain(message)
})
