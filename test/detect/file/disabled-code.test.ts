import { describe, expect, it } from 'vitest'
import { findDisabledCode, makeDisabledTest } from '../../../engine/detect/file/disabled-code.ts'

/** Which of the names a, b and c of a text stand in code that is not compiled. */
const disabledIn = (...lines: string[]) => {
  const text = lines.join('\n')
  const isDisabled = makeDisabledTest('c', text)
  return ['a', 'b', 'c'].filter(name => isDisabled(text.indexOf(`${name}();`))).join('')
}

describe('code that no compiler sees', () => {
  it.each([
    ['behind #if 0', ['#if 0', 'a();', '#endif', 'b();'], 'a'],
    ['in its nested conditions', ['#if 0', '#ifdef X', 'a();', '#endif', 'b();', '#endif', 'c();'], 'ab'],
    ['behind #else of #if 1', ['#if 1 // new', 'a();', '#else', 'b();', '#endif'], 'b'],
    ['behind #ifdef of a switch that is off', ['//#define DUMP', '#ifdef DUMP', 'a();', '#endif', 'b();'], 'a'],
    [
      'behind #else of #ifndef of such a switch',
      ['/* #define DUMP */', '#ifndef DUMP', 'a();', '#else', 'b();', '#endif'],
      'b',
    ],
    ['behind #if defined() of it', ['// # define DUMP 1', '#if defined(DUMP)', 'a();', '#endif'], 'a'],
  ])('stands %s', (_, lines, expected) => {
    expect(disabledIn(...lines)).toBe(expected)
  })

  it.each([
    ['of #if 0 behind #else', ['#if 0', 'a();', '#else', 'b();', '#endif'], 'a'],
    ['of #if 0 behind #elif', ['#if 0', 'a();', '#elif defined(X)', 'b();', '#endif'], 'a'],
    ['behind #ifdef of a name that is defined elsewhere', ['#ifdef DUMP', 'a();', '#endif'], ''],
    ['of a switch that is on as well', ['//#define DUMP 2', '#define DUMP 1', '#ifdef DUMP', 'a();', '#endif'], ''],
    ['of a condition that is never closed', ['#if 0', 'a();'], ''],
    ['behind #endif without a condition', ['#endif', 'a();'], ''],
  ])('is not that %s', (_, lines, expected) => {
    expect(disabledIn(...lines)).toBe(expected)
  })

  it('is a matter of languages with a preprocessor', () => {
    expect(makeDisabledTest('python', '#if 0\na();\n#endif')(7)).toBe(false)
  })

  it('is found in one pass over many conditions', () => {
    expect(findDisabledCode('#if 0\na();\n#endif\n'.repeat(20_000))).toHaveLength(20_000)
  })
})
