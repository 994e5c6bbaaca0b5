import { expect, it } from 'vitest'
import { draftRequirements, readUntraced } from '../../../engine/delivery/draft/draft.ts'

const read = (path: string, language: string, text: string) =>
  readUntraced({ path, language, size: text.length, in_test: false }, text)
const FILES = [
  read(
    'src/auth/login.ts',
    'typescript',
    '/** Logs a user in. Then more. */\nexport function login() {}\nfunction hidden() {}\n',
  ),
  read(
    'src/auth/hash.py',
    'python',
    'def digest(word):\n    """Hash a password.\n\n    More."""\n    return word\n\ndef _own():\n    pass\n',
  ),
  read('main.go', 'go', '// Run starts the server.\nfunc Run() {}\n'),
]

it('drafts one requirement a module, with its public API and documented behavior', () => {
  const drafts = draftRequirements(
    FILES,
    ['test/auth/login.test.ts', 'test/other/login.test.ts', 'tests/test_hash.py'],
    new Set(),
  )
  expect(drafts).toMatchObject([
    {
      id: 'DRAFT-ROOT',
      title: 'The root directory: Run',
      files: ['main.go'],
      acceptance: ['Run: Run starts the server.'],
    },
    {
      ...{
        id: 'DRAFT-SRC-AUTH',
        status: 'draft',
        title: 'src/auth: login, digest',
        files: ['src/auth/login.ts', 'src/auth/hash.py'],
      },
      acceptance: ['login: Logs a user in.', 'digest: Hash a password.'],
      tests: ['test/auth/login.test.ts', 'tests/test_hash.py'],
    },
  ])
  expect(drafts[1]!.description).toContain('- login (function, src/auth/login.ts:2)')
  expect(drafts[1]!.description).not.toMatch(/hidden|_own/)
})

it('drafts the same again, and takes another id where one is known', () => {
  expect(draftRequirements(FILES, [], new Set())).toEqual(draftRequirements(FILES, [], new Set()))
  const known = new Set(['DRAFT-ROOT'])
  expect(draftRequirements(FILES, [], known).map(({ id }) => id)).toEqual(['DRAFT-ROOT-2', 'DRAFT-SRC-AUTH'])
})
