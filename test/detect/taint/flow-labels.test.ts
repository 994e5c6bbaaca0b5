import { describe, expect, it } from 'vitest'
import { nameRequestPart } from '../../../engine/detect/taint/request-part.ts'
import { follow, sinkRule } from './follow.ts'

const labels = (language: string, code: string) =>
  follow(code, sinkRule(language, { sources: ['request', 'argument', 'environment', 'stdin'] })).matches.map(
    ({ flow }) => flow?.map(({ label }) => label),
  )

describe('the steps of a data-flow path', () => {
  it('name the part of the request, what propagates it, where it is assigned and the sink', () => {
    const code = `
from flask import request
def show(name):
    return name.strip()
def view():
    q = request.args.get('q')
    sink(show(q))
`
    expect(labels('python', code)).toEqual([
      [
        'HTTP request parameter',
        'propagated through get',
        'assigned to q',
        'passed as parameter name',
        'propagated through strip',
        'returned by show',
        'reaches the sink sink',
      ],
    ])
  })

  it.each([
    ['javascript', 'sink(process.argv[2])', 'command-line argument'],
    ['javascript', 'sink(process.env.HOME)', 'environment variable'],
    ['python', 'sink(input())', 'standard input'],
    ['php', '<?php sink($_COOKIE["a"]);', 'HTTP request cookie'],
    ['java', 'class A { void a(HttpServletRequest r) { sink(r.getHeader("X-Cookie")); } }', 'HTTP request header'],
    [
      'go',
      'package a\nfunc a(w http.ResponseWriter, r *http.Request) { sink(r.URL.Query()) }',
      'HTTP request parameter',
    ],
  ])('begin in %s with the source: %s', (language, code, label) => {
    expect(labels(language, code)[0]?.[0]).toBe(label)
  })
})

describe('the part of a request', () => {
  it.each([
    ['request.getHeader("cookie")', 'HTTP request header'],
    ['request.cookies', 'HTTP request cookie'],
    ['req.body.user', 'HTTP request body'],
    ['$_GET["file"]', 'HTTP request parameter'],
    ['file.getOriginalFilename()', 'uploaded file name'],
    ['request.path', 'HTTP request URL'],
    ['ctx.state', 'HTTP request data'],
    ['header', 'HTTP request data'],
  ])('of %s is: %s', (expression, part) => {
    expect(nameRequestPart(expression)).toBe(part)
  })
})
