import { describe, expect, test } from 'vitest'
import { follow, sinkRule } from './follow.ts'

/** A handler of each language, in which `{{body}}` finds the input in `param`. */
const HANDLERS: Record<string, string> = {
  java: `class A extends HttpServlet { void doPost(HttpServletRequest request, HttpServletResponse response) {
String param = request.getParameter("p"); {{body}} } }`,
  csharp: 'class A : Controller { public IActionResult Go(string param) { {{body}} return null; } }',
  kotlin: `class A : HttpServlet() { override fun doPost(request: HttpServletRequest, response: HttpServletResponse) {
val param = request.getParameter("p")
{{body}}
} }`,
  go: `package a
import "net/http"
func handle(w http.ResponseWriter, r *http.Request) {
param := r.FormValue("p")
{{body}}
}`,
  javascript: "app.get('/x', (req, res) => { const param = req.query.p; {{body}} })",
  php: '<?php $param = $_GET["p"]; {{body}}',
  python: 'from flask import request\n@app.route("/x")\ndef view():\n    param = request.args["p"]\n{{body}}\n',
  ruby: 'class A < ApplicationController\ndef show\nparam = params[:p]\n{{body}}\nend\nend\n',
}

function reaches(language: string, body: string): boolean {
  const code = HANDLERS[language]!.replace('{{body}}', () => body)
  return follow(code, sinkRule(language)).matches.length > 0
}

const AFTER_LOOPS: [language: string, body: string][] = [
  ['java', 'for (int i = 0; i < 3; i++) { go(i); } out.sink(param);'],
  ['java', 'for (int i = 3; i > 0; --i) { go(i); } out.sink(param);'],
  ['csharp', 'for (int i = 0; i < 3; i++) { Go(i); } x.sink(param);'],
  ['csharp', 'int i = 3; while (i > 0) { --i; } x.sink(param);'],
  ['csharp', 'int n = 3; while (n > 2) { Next(ref n); } x.sink(param);'],
  ['go', 'n := 3\nfor n > 2 { next(&n) }\nout.sink(param)'],
  ['kotlin', 'var i = 0\nwhile (i < 3) { i++ }\nout.sink(param)'],
  ['kotlin', 'var i = 100\nwhile (i > 3) { i /= 2 }\nout.sink(param)'],
  ['go', 'for i := 0; i < 3; i++ { run(i) }\nout.sink(param)'],
  ['go', 'i := 3\nfor i > 0 { i-- }\nout.sink(param)'],
  ['javascript', 'for (let i = 0; i < 3; i++) { run(i) } sink(param)'],
  ['javascript', 'let i = 3; while (i > 0) { --i } sink(param)'],
  ['php', 'for ($i = 0; $i < 3; $i++) { run($i); } sink($param);'],
  ['php', '$i = 3; while ($i > 0) { --$i; } sink($param);'],
  ['python', '    i = 0\n    while i < 3:\n        i += 1\n    sink(param)'],
  ['ruby', 'i = 0\nwhile i < 3\ni += 1\nend\nsink(param)'],
]

describe('input reaches what comes after a loop that counts', () => {
  test.each(AFTER_LOOPS)('in %s: %s', (language, body) => {
    expect(reaches(language, body)).toBe(true)
  })
})

/** Conditions that hold, in terms of a number that was just 3. */
const COUNTED: [language: string, body: string][] = [
  ['java', 'int i = 3; i++; String a = "x"; if (i == 4) { a = param; } out.sink(a);'],
  ['java', 'String a = "x"; if (7 / 2 == 3) { a = param; } out.sink(a);'],
  ['csharp', 'int i = 3; i++; var a = "x"; if (i == 4) { a = param; } x.sink(a);'],
  ['csharp', 'int i = 3; --i; var a = "x"; if (i == 2) { a = param; } x.sink(a);'],
  ['csharp', 'var a = "x"; if (7 / 2 == 3) { a = param; } x.sink(a);'],
  ['csharp', 'var a = "x"; if (0x1F == 31) { a = param; } x.sink(a);'],
  ['kotlin', 'var i = 3\ni *= 2\nvar a = "x"\nif (i == 6) { a = param }\nout.sink(a)'],
  ['go', 'i := 3\ni++\na := "x"\nif i == 4 { a = param }\nout.sink(a)'],
  ['go', 'i := 3\ni--\na := "x"\nif i == 2 { a = param }\nout.sink(a)'],
  ['go', 'a := "x"\nif 7/2 == 3 { a = param }\nout.sink(a)'],
  ['javascript', 'let i = 3; i--; let a = "x"; if (i === 2) { a = param } sink(a)'],
  ['php', '$i = 3; $i++; $a = "x"; if ($i == 4) { $a = $param; } sink($a);'],
  ['php', '$i = 3; --$i; $a = "x"; if ($i == 2) { $a = $param; } sink($a);'],
]

describe('a way is taken where a number that was counted says so', () => {
  test.each(COUNTED)('in %s: %s', (language, body) => {
    expect(reaches(language, body)).toBe(true)
  })
})

const ENDLESS: [language: string, body: string][] = [
  ['java', 'while (true) { go(); } out.sink(param);'],
  ['csharp', 'for (;;) { Go(); } x.sink(param);'],
  ['go', 'for { run() }\nout.sink(param)'],
  ['php', 'while (1) { run(); } sink($param);'],
]

describe('nothing comes after a loop that is written to have no end', () => {
  test.each(ENDLESS)('in %s: %s', (language, body) => {
    expect(reaches(language, body)).toBe(false)
  })
})

test('what a label stands before is carried out', () => {
  expect(reaches('csharp', 'again: x.sink(param);')).toBe(true)
})
