import { describe, expect, it } from 'vitest'
import { makeCodeFile } from '../../../engine/review/code/code-file.ts'
import { CONSTRUCT_FORMS } from '../../../engine/review/code/construct-forms.ts'
import { ENDPOINT_FORMS } from '../../../engine/review/code/endpoint-forms.ts'
import { listMarks } from '../../../engine/review/code/marks.ts'

const EXTENSION: Record<string, string> = {
  ...{ javascript: 'js', typescript: 'ts', python: 'py', java: 'java', kotlin: 'kt', go: 'go', ruby: 'rb', php: 'php' },
  ...{ csharp: 'cs', rust: 'rs', sql: 'sql', proto: 'proto', protobuf: 'proto' },
}

const rows = [...ENDPOINT_FORMS.map(form => ({ ...form, kind: 'endpoint' as const })), ...CONSTRUCT_FORMS].flatMap(
  form => form.examples.map(([code, ...keys]) => ({ ...form, code, keys })),
)

describe('every form finds its examples', () => {
  it.each(rows)('$kind $name: $code', ({ kind, languages, code, keys }) => {
    const text = languages[0] === 'php' ? `<?php\n${code}` : code
    const marks = listMarks(makeCodeFile(`src/a.${EXTENSION[languages[0]!]}`, text))
    const found = marks.filter(mark => mark.kind === kind).map(({ key }) => key)
    expect([...new Set(found)]).toEqual(keys.map(key => (kind === 'endpoint' ? `endpoint ${key}` : key)))
  })
})

it('a comment shows nothing', () => {
  expect(listMarks(makeCodeFile('a.js', "// app.get('/a', list)\n/* import pg from 'pg' */\n"))).toEqual([])
})

it('reads a file of hostile lines in time linear to it', () => {
  const text = `${'const a = express('.repeat(20_000)}\n${"app.get('/".repeat(20_000)}\n${'@GetMapping('.repeat(20_000)}`
  const started = performance.now()
  for (const path of ['a.js', 'a.py', 'a.java', 'a.go', 'a.php', 'a.rb', 'a.cs']) listMarks(makeCodeFile(path, text))
  expect(performance.now() - started).toBeLessThan(20_000)
})
