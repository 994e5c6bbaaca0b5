import { expect, it } from 'vitest'
import { detectLanguage } from '../../engine/base/languages/languages.ts'
import { OWN_LANGUAGES } from '../../engine/base/languages/own.ts'
import { findMarks } from '../../scripts/generate-linguist.ts'

it('takes from linguist what one of its languages alone claims', () => {
  const marks = findMarks()
  expect(marks.javascript?.extensions).toContain('jake')
  expect(marks.makefile?.files).toContain('Makefile.in')
  expect(marks.python?.interpreters).toContain('pypy3')
  // C, C++ and Objective-C; TypeScript and XML; Rust, RenderScript and XML.
  for (const extension of ['h', 'ts', 'rs'])
    for (const { extensions = [] } of Object.values(marks)) expect(extensions).not.toContain(extension)
})

it('never says otherwise than our own table', () => {
  for (const { name, extensions = [], files = [] } of OWN_LANGUAGES) {
    const named = [...extensions.filter(each => !each.includes('.')).map(each => `a.${each}`), ...files]
    for (const path of named) expect(detectLanguage(path), path).toBe(name)
  }
})
