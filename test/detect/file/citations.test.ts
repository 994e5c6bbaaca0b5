import { describe, expect, it } from 'vitest'
import { citesStandard } from '../../../engine/detect/file/citations.ts'
import { registerGrammars } from '../../../engine/detect/syntax/grammar.ts'
import { parseSyntax } from '../../../engine/detect/syntax/parsed.ts'

registerGrammars()

/** Whether the code at `HERE` is taken to implement a standard. */
function cites(language: string, code: string): boolean {
  const parsed = parseSyntax(language, code)
  if (!('root' in parsed)) throw new Error('not parsed')
  return citesStandard(parsed.root, code.indexOf('HERE'))
}

describe('code implements a standard where one is cited', () => {
  it.each([
    ['in its function', 'python', 'import a\n\ndef f(x):\n    # RFC 2617, section 3.2\n    return HERE(x)\n'],
    [
      'before its function',
      'go',
      'package a\n\n// f is the digest of RFC 2069.\nfunc f(x int) int { return HERE(x) }\n',
    ],
    ['before an exported function', 'javascript', '/** As in [MS-NLMP]. */\nexport function f(x) { return HERE(x) }\n'],
    ['before a decorated one', 'python', 'a = 1\n# FIPS 46-3\n@cached\ndef f(x):\n    return HERE(x)\n'],
    ['before its class', 'java', 'import a.B;\n/** NIST SP 800-38B */\nclass A { int f(int x) { return HERE(x); } }\n'],
    [
      'in the docstring of its class',
      'python',
      'class A:\n    """ISO/IEC 9797-1"""\n    def f(self, x):\n        return HERE(x)\n',
    ],
    ['at the head of the file', 'c', '/* RFC 1321 */\n#include <a.h>\nint f(int x) { return HERE(x); }\n'],
    ['in the docstring of the file', 'python', '"""Kerberos, rfc4120."""\nimport a\n\ndef f(x):\n    return HERE(x)\n'],
  ])('%s (%s)', (_, language, code) => {
    expect(cites(language, code)).toBe(true)
  })

  it.each([
    ['in another function', 'python', 'def g(x):\n    # RFC 2617\n    return x\n\ndef f(x):\n    return HERE(x)\n'],
    ['behind the function', 'c', 'int f(int x) { return HERE(x); }\n/* RFC 1321 */\nint g;\n'],
    [
      'in another method of its class',
      'java',
      `class A { ${'int a;'.repeat(120)} /* RFC 1321 */ void g() {} int f(int x) { return HERE(x); } }`,
    ],
    ['nowhere', 'javascript', '// Fixes request 1321.\nexport function f(x) { return HERE(x) }\n'],
  ])('and not %s (%s)', (_, language, code) => {
    expect(cites(language, code)).toBe(false)
  })
})
