import { isTestPath } from '../../../base/languages/languages.ts'

/** Languages of documentation. */
const PROSE: ReadonlySet<string> = new Set(['markdown', 'mdx', 'rst', 'asciidoc', 'textile', 'org'])
/** Documentation by its name, where its text is in no language of code: `history.ts` is a program. */
const DOCUMENT = /(?:^|\/)(?:readme|changelog|changes|history|contributing|tutorial|faq)[^/]{0,20}$/i
/** Sources that a bundler carries for debuggers. */
const SOURCE_MAP = /\.map$/i
/** A line of a documentation comment: JSDoc, Javadoc, `///`. What follows `//` may be code that was in use. */
const COMMENT = /^[ \t]{0,80}(?:\/\*\*|\*|\/\/\/)(?![*/])[ \t]/
/** Values that stand for a credential in examples, and in nothing that is in use. */
const PLACEHOLDER =
  /^(?:pass(?:phrase|wd|code)|psw|asdf|foo(?:bar(?:ed|baz)?)?|bar|baz|qux|keyboard[ _-]?cat|hi[ _-]mom|should[ _-][a-z _-]{3,30}|(?:password|secret|token)[ _-]for[ _-][\w-]{1,20})\d{0,2}$/i
/** The same in documentation, where nothing is started that takes them. */
const DOCUMENTED = /^(?:password[12]|[a-z]{3,4})$/

/** Where an example stands: in documentation, in a comment of documentation within code, in a test. */
export type ExamplePlace = 'documentation' | 'test'

/** Whether what stands at `start` of a file is there to show or to try something. */
export function findExamplePlace(
  text: string,
  start: number,
  language: string,
  path: string,
): ExamplePlace | undefined {
  if (PROSE.has(language) || (language === 'text' && DOCUMENT.test(path)) || SOURCE_MAP.test(path))
    return 'documentation'
  if (isTestPath(path)) return 'test'
  const line = text.slice(Math.max(0, text.lastIndexOf('\n', start - 1) + 1, start - 400), start)
  return COMMENT.test(line) ? 'documentation' : undefined
}

/**
 * Whether a value stands for a credential (`passphrase1`, `asdf`, `psw`) where it is an example. Other words are passwords that tests and
 * examples do set (`hunter2`), and are reported as such.
 */
export function isPlaceholder(value: string, place: ExamplePlace): boolean {
  return PLACEHOLDER.test(value) || (place === 'documentation' && DOCUMENTED.test(value))
}

/** What follows the password in an address of the machine that the program runs on (RFC 6761, 6.3; RFC 5735, 3; RFC 4291, 2.5.3). */
const LOOPBACK = /@(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|host\.docker\.internal)(?![\w.-])/y

/**
 * Whether an address holds the login that a server has when it was just installed, and is that of the machine itself: `guest:guest@localhost`.
 * Nobody signs in with it from elsewhere.
 */
export function isLocalDefault(
  text: string,
  { name, text: password, end }: { name: string; text: string; end: number },
): boolean {
  if (name === '' || name.toLowerCase() !== password.toLowerCase()) return false
  LOOPBACK.lastIndex = end
  return LOOPBACK.test(text)
}
