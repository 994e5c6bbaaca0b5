import { describe, expect, test } from 'vitest'
import { follow, sinkRule } from './follow.ts'

/** Whether input reaches `sink(…)` in the body of an action, beside a method `own(a)`. */
function reaches(body: string, own: string): boolean {
  const code = `class A < ApplicationController\ndef index\n${body}\nend\ndef own(a)\n${own}\nend\nend\n`
  return follow(code, sinkRule('ruby')).matches.length > 0
}

const REACHES: [name: string, body: string][] = [
  ['as it is', 'sink(params[:a])'],
  ['without parentheses', 'sink "x" + params[:a]'],
  ['through an interpolated text', 'a = "x #{params[:a]}"\nsink(a)'],
  ['through a method of it', 'a = params[:a].strip\nsink(a)'],
  ['through a list', 'l = ["x", params[:a]]\nsink(l[1])'],
  ['through a hash', 'h = { a: params[:a] }\nsink(h[:a])'],
  ['through an appended element', 'l = []\nl << params[:a]\nsink(l[0])'],
  ['through a text that is added to', 's = ""\ns << params[:a]\nsink(s)'],
  ['under a condition', 'sink(params[:a]) if ok'],
  ['unless something holds', 'sink(params[:a]) unless bad'],
  ['through if as a value', 'a = if ok then params[:a] else "x" end\nsink(a)'],
  ['through a case', 'case x\nwhen 1 then a = "x"\nelse a = params[:a]\nend\nsink(a)'],
  ['through a block', '[params[:a]].each do |x|\nsink(x)\nend'],
  ['through a method', 'sink(own(params[:a]))'],
  ['in a begin', 'begin\na = params[:a]\nrescue\nend\nsink(a)'],
  ['through a variable of the object', '@a = params[:a]\nsink(@a)'],
  ['through a heredoc', 'sink(<<~EOT)\n  a #{params[:a]}\nEOT'],
  ['through a format', 'sink("%s" % params[:a])'],
  ['from a header', 'sink(request.referer)'],
  ['after a check that it is there', 'return if params[:a].nil?\nsink(params[:a])'],
  ['with a default', 'sink(params[:a] || "x")'],
  ['through several targets', 'a, b = "x", params[:b]\nsink(b)'],
  ['through fetch', 'sink(params.fetch(:a))'],
  ['through a lambda', 'f = ->(x) { x }\nsink(f.call(params[:a]))'],
  ['although an expression fits its beginning', 'if params[:a] =~ /\\A[a-z]+/\nsink(params[:a])\nend'],
]

const KEPT: [name: string, body: string][] = [
  ['a number is made of it', 'sink(params[:a].to_i)'],
  ['a variable is set anew', 'a = params[:a]\na = "x"\nsink(a)'],
  ['another element is taken', 'l = ["x", params[:a]]\nsink(l[0])'],
  ['another key is taken', 'h = { a: params[:a], b: "x" }\nsink(h[:b])'],
  ['it is one of what is allowed', 'a = params[:a]\nreturn unless ALLOWED.include?(a)\nsink(a)'],
  ['it is one of the words written out', 'a = params[:a]\nreturn unless %w[a b].include?(a)\nsink(a)'],
  ['an expression fits all of it', 'a = params[:a]\nif a =~ /\\A[a-z]+\\z/\nsink(a)\nend'],
  ['match? fits all of it', 'a = params[:a]\nreturn unless a.match?(/\\A\\w+\\z/)\nsink(a)'],
  ['the method returns something else', 'sink(own(params[:a]))'],
  ['it is equal to a fixed text', 'a = params[:a]\nsink(a) if a == "x"'],
  ['it is looked up', 'sink(KNOWN[params[:a]])'],
  ['a condition never holds', 'a = "b"\nsink(params[:a]) if a == "c"'],
  ['a case chooses fixed texts', 'case params[:a]\nwhen "a" then b = "x"\nelse b = "y"\nend\nsink(b)'],
  ['it stands in a comment', '# sink(params[:a])'],
]

describe('in Ruby, input reaches a sink', () => {
  test.each(REACHES)('%s', (_, body) => {
    expect(reaches(body, 'a + "x"')).toBe(true)
  })
})

describe('in Ruby, input does not reach a sink where', () => {
  test.each(KEPT)('%s', (_, body) => {
    expect(reaches(body, '"x"')).toBe(false)
  })
})
