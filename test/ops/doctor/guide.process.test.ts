import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Choice } from '../../../engine/base/context.ts'
import type { View } from '../../../engine/base/text/view.ts'
import { estimateLikely, listTopics } from '../../../engine/doctor/topics.ts'
import { OPERATIONS } from '../../../engine/door/operations.gen.ts'
import { loadSchemas } from '../../../engine/door/schemas.ts'
import guide from '../../../engine/ops/doctor/guide.ts'
import { context, refusal } from '../../made/call.ts'
import { repository } from '../../made/project.ts'
import { ROOT } from '../../root.ts'

const TOPICS = listTopics('out')
const view: View = { verbose: false, quiet: false, width: 80, paint: (_style, text) => text }
const commands = OPERATIONS.flatMap(({ cli, id, short }) =>
  cli === null ? [] : { name: cli.split(/ [<[]/, 1)[0]!, id, short },
)

describe('a topic', () => {
  const steps = TOPICS.flatMap(({ id, steps: all }) => all.map(({ command }) => [id, command] as const))

  test.each(steps)('of %s names a command that there is, with options that it takes: %s', (_, line) => {
    if (line.startsWith('git ')) return
    const words = line.split(' ').slice(1)
    const command = commands
      .filter(({ name }) => `${words.join(' ')} `.startsWith(`${name} `))
      .sort((a, b) => b.name.length - a.name.length)[0]
    expect(command, line).toBeDefined()
    const { properties = {} } = loadSchemas(command!.id).input
    for (const [, option] of line.matchAll(/ --([a-z-]+)/g))
      expect(properties, line).toHaveProperty(option!.replaceAll('-', '_'))
    for (const [, letter] of line.matchAll(/ -([a-z])\b/g))
      expect(Object.values(command!.short), line).toContain(letter)
  })

  test('has a name of its own, and points to pages that there are', () => {
    const ids = TOPICS.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { read } of TOPICS) if (read) expect(existsSync(`${ROOT}/${read}`), read).toBe(true)
  })
})

describe('guide', () => {
  test('without a terminal is a list of everything', async () => {
    const output = await guide.run({}, context(repository()))
    expect(output.topics).toHaveLength(TOPICS.length)
    const text = guide.text(output, view)
    for (const { want, steps } of TOPICS) {
      expect(text).toContain(want)
      for (const { command, does } of steps) expect(text).toContain(`${command}\n      ${does}`)
    }
    expect(text).toContain('Most likely next: `svc guide start`.')
  })

  test('on a terminal asks, marks what is likely, and answers what was chosen alone', async () => {
    const asked: { question: string; choices: readonly Choice[]; initial?: string }[] = []
    const choose = async (question: string, choices: readonly Choice[], initial?: string) => {
      asked.push({ question, choices, initial })
      return 'adopt'
    }
    const output = await guide.run({}, context(repository(), { choose }))
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatchObject({ initial: 'start' })
    expect(asked[0]!.choices.map(({ value }) => value)).toEqual(TOPICS.map(({ id }) => id))
    expect(output.topics.map(({ id }) => id)).toEqual(['adopt'])
    expect(guide.text(output, view)).toContain('svc scan --update-baseline')
  })

  test('says nothing where the person leaves', async () => {
    const output = await guide.run({}, context(repository(), { choose: async () => undefined }))
    expect(guide.text(output, view)).toBe('')
  })

  test('takes the topic as a word, and knows what a mistyped one meant', async () => {
    expect((await guide.run({ topic: 'ci' }, context(repository()))).topics).toMatchObject([{ id: 'ci' }])
    const error = await refusal(() => guide.run({ topic: 'adpot' }, context(repository())))
    expect(error).toMatchObject({ code: 'NOT_FOUND', message: expect.stringContaining('did you mean adopt?') })
  })

  test('names the output directory that is configured, and leads on where the configuration is not valid', async () => {
    const other = await guide.run(
      { topic: 'start' },
      context(repository({ '.svc/config.yaml': 'output_dir: build/svc\n' })),
    )
    expect(guide.text(other, view)).toContain('reports to build/svc/')
    expect(JSON.stringify(other)).not.toMatch(/[^/]out\//)
    const broken = await guide.run({ topic: 'trouble' }, context(repository({ '.svc/config.yaml': 'output_dir: [\n' })))
    expect(guide.text(broken, view)).toContain('svc validate-config')
  })

  test('goes by what stands in the repository', async () => {
    const files = { 'out/run.json': '{"counts":{"open":900}}' }
    expect((await guide.run({}, context(repository(files)))).likely).toBe('adopt')
    expect((await guide.run({}, context(repository({ ...files, '.svc/baseline.json': '{}' })))).likely).toBe('fix')
    expect((await guide.run({}, context(repository({ 'out/run.json': '{' })))).likely).toBe('start')
    const clean = { configured: true, scanned: true, baseline: false, open: 0 }
    expect([estimateLikely(clean), estimateLikely({ ...clean, configured: false })]).toEqual(['ci', 'commit'])
  })
})
