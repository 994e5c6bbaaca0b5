import { describe, expect, test } from 'vitest'
import { effortSince } from '../../made/effort.ts'
import { follow, sinkRule } from './follow.ts'

/** Milliseconds of the processor, long enough on a slow machine for what takes a second; what has no bound takes hours. */
const SOON = 30_000

const handler = (body: string) => `app.get('/x', (req, res) => { const param = req.query.p; ${body} })`

test('a condition of many parts within parts is not evaluated, and soon', () => {
  let condition = 'a0'
  for (let i = 1; i < 70; i++) condition = `(${condition} ${i % 2 ? '&&' : '||'} a${i})`
  const spent = effortSince()
  const { failures } = follow(handler(`if (${condition}) { sink(param) }`), sinkRule('javascript'))
  expect(spent()).toBeLessThan(SOON)
  expect(failures).toEqual([expect.objectContaining({ reason: 'too_costly' })])
})

test('a file of very many functions that its top level may bring together is done soon', () => {
  const functions = Array.from({ length: 20_000 }, (_, i) => `def f${i}(a):\n    return a\n\n`).join('')
  const own = 'def given():\n    return request.args["x"]\ndef use(value):\n    sink(value)\n'
  const code = `from flask import request\n${functions}${own}use(given())\n`
  const spent = effortSince()
  expect(follow(code, sinkRule('python')).matches).toHaveLength(1)
  expect(spent()).toBeLessThan(SOON)
})

test('a file of very many methods of Ruby is done soon', () => {
  const methods = Array.from({ length: 8000 }, (_, i) => `def m${i}\n"${'x'.repeat(100)}"\nend\n`).join('')
  const code = `class A < ApplicationController\n${methods}def show\nsink(params[:a])\nend\nend\n`
  const spent = effortSince()
  expect(follow(code, sinkRule('ruby')).matches).toHaveLength(1)
  expect(spent()).toBeLessThan(SOON)
})

describe('a check of a member ends', () => {
  const reaches = (body: string) => follow(handler(body), sinkRule('javascript')).matches.length > 0
  const checked = (target: string, change: string) =>
    `let o = req.body; if (['a'].includes(${target})) { ${change}; sink(${target}) }`

  test('with nothing that is written beside it', () => {
    expect(reaches(checked('o.a', 'o.b = req.query.b'))).toBe(false)
    expect(reaches(checked('o["a-b"]', 'x.a = req.query.b'))).toBe(false)
  })

  test.each([
    ['a member', 'o.a', 'o.a = req.query.b'],
    ['an element', 'o["a-b"]', 'o["a-b"] = req.query.b'],
    ['an element that is not known', 'o["a-b"]', 'o[key()] = req.query.b'],
    ['the variable that it is a member of', 'o.a', 'o = req.query'],
  ])('with what is written to %s', (_, target, change) => {
    expect(reaches(checked(target, change))).toBe(true)
  })
})
