import { expect, test } from 'vitest'
import { follow, sinkRule } from './follow.ts'

/** Whether input that a function of another file is passed reaches `sink` in the function that it is passed besides. */
const reaches = (callback: string, language = 'javascript') =>
  follow(
    `import { run } from './run.js'\napp.get('/x', (req, res) => { run(req.query.name, ${callback}) })`,
    sinkRule(language),
  ).matches.length

test('a function that code elsewhere is passed with input is carried out with that input', () => {
  expect(reaches('value => sink(value)')).toBe(1)
})

test("input that a parameter is passed counts under the name of a framework's object", () => {
  expect(reaches('c => sink(c)')).toBe(1)
})

test('input that a parameter is passed counts where its type is declared', () => {
  expect(reaches('(value: string) => sink(value)', 'typescript')).toBe(1)
  expect(reaches('(value: number) => sink(value)', 'typescript')).toBe(0)
})
