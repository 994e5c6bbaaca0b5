import { expect, test } from 'vitest'
import { insertLines } from '../../../engine/detect/snippets/insertion.ts'

test('places behind lines that are put in front of all are where they were', () => {
  const { code, restore } = insertLines('a\n  b', 0, ['one', 'two'], 'end')
  expect(code).toBe('one\ntwo\na\n  b\nend')
  expect([restore({ line: 3, column: 1 }), restore({ line: 4, column: 3 })]).toEqual([
    { line: 1, column: 1 },
    { line: 2, column: 3 },
  ])
})

test('places in what was put in are none of the code', () => {
  const { restore } = insertLines('a\nb', 0, ['one', 'two'], 'end')
  expect([restore({ line: 1, column: 1 }), restore({ line: 2, column: 2 }), restore({ line: 5, column: 1 })]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('of a line that is parted both halves are where they were', () => {
  const { code, restore } = insertLines('<?php run();\nend();', 5, ['one'])
  expect(code).toBe('<?php\none\n run();\nend();')
  expect([restore({ line: 1, column: 2 }), restore({ line: 3, column: 2 }), restore({ line: 4, column: 1 })]).toEqual([
    { line: 1, column: 2 },
    { line: 1, column: 7 },
    { line: 2, column: 1 },
  ])
})

test('lines go in front of the line that the rest begins', () => {
  const { code, line, restore } = insertLines('import a\nb', 9, ['one'])
  expect([code, line, restore({ line: 3, column: 1 })]).toEqual(['import a\none\nb', 2, { line: 2, column: 1 }])
})
