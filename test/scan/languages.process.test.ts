import { parse } from '@ast-grep/napi'
import { expect, test } from 'vitest'
import { AST_LANGUAGES, getGrammarName, registerGrammars } from '../../engine/detect/syntax/grammar.ts'
import { PoolRunner } from '../../engine/scan/pool.ts'
import { project } from '../made/project.ts'

test('a process that goes on parses all languages, whichever a thread of its first scan had', async () => {
  const root = project({ 'a.rb': 'puts 1\n' })
  const most = { max_file_bytes: 1 << 20, max_parse_bytes: 1 << 20 }
  const limits = { ...most, rule_deadline_ms: 60_000, file_deadline_ms: 60_000 }
  const { signal } = new AbortController()
  // The parsers are the whole process's, and of the thread that is the first to ask for them.
  const runner = await PoolRunner.start({ rules: [], limits, root }, { jobs: 1, signal })
  await runner.run({ files: [{ path: 'a.rb', size: 7, language: 'ruby', in_test: false }] })
  await runner.close()
  registerGrammars()
  for (const language of AST_LANGUAGES) expect(() => parse(getGrammarName(language), '1'), language).not.toThrow()
})
