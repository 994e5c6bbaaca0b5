import { expect, test } from 'vitest'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import { registerGrammars } from '../../../engine/detect/syntax/grammar.ts'
import { search } from '../../../scripts/accuracy/search.ts'
import { loadShippedPacks } from '../../made/shipped-packs.ts'

registerGrammars()
const packs = await loadShippedPacks()
const rules = new RuleSet(packs.flatMap(pack => pack.rules).filter(({ type }) => type === 'taint'))

const found = (path: string, text: string): string[] =>
  search(rules, path, new TextEncoder().encode(text)).map(({ rule }) => rule.id)

const handler = `
  void show(HttpServletRequest request, HttpServletResponse response) throws IOException {
    response.getWriter().println("<p>" + request.getParameter("q") + "</p>");
  }
}`

test('a class that wraps the response of a server is analyzed like any other', () => {
  const wrapper = `import javax.servlet.http.*;\nclass Compressed extends HttpServletResponseWrapper {${handler}`
  expect(found('Compressed.java', wrapper)).toEqual(['java-xss'])
})

test.each([
  ['a.js', '// ServerResponse.prototype\n', 'app.get("/", (req, res) => { eval(req.query.code) })\n'],
  ['a.js', 'class Request {}\n', 'app.get("/", (req, res) => { eval(req.query.code) })\n'],
  ['a.js', 'Reply.prototype.send = function () {}\n', 'function run (request, reply) { eval(request.query.code) }\n'],
  ['a.php', 'class Request {}\n', 'eval($_GET["code"]);\n'],
  [
    'a.rb',
    'class Request\nend\n',
    'class A < ActionController::Base\n  def run\n    eval(params[:code])\n  end\nend\n',
  ],
  [
    'a.py',
    'class Request:\n    pass\n',
    'from flask import request\nimport os\n@app.route("/")\ndef run():\n    os.system("ls " + request.args["x"])\n',
  ],
])('a line of %s that looks like a framework hides no finding: %s', (path, line, code) => {
  const opening = path.endsWith('.php') ? '<?php\n' : ''
  const rulesFound = found(path, opening + code)
  expect(rulesFound.length).toBeGreaterThan(0)
  expect(found(path, opening + line + code)).toEqual(rulesFound)
})

test('a servlet that writes what a request brings is', () => {
  const servlet = `import javax.servlet.http.*;\nclass Page extends HttpServlet {${handler}`
  expect(found('Page.java', servlet)).toEqual(['java-xss'])
})

test('the path that a router has cleaned leads to no other folder, a parameter does', () => {
  const go = (part: string): string => `package a
func f(w http.ResponseWriter, r *http.Request) {
	data, _ := os.ReadFile("static/" + ${part})
	w.Write(data)
}`
  expect(found('a.go', go('r.URL.Path'))).toEqual([])
  expect(found('a.go', go('r.URL.Query().Get("name")'))).toEqual(['go-path-from-request'])
})

test('a redirect to the own address stays on the host, one to a parameter does not', () => {
  const go = (part: string): string => `package a
func f(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, ${part}, 302) }`
  expect(found('a.go', go('r.URL.Path+"/"'))).toEqual([])
  expect(found('a.go', go('r.URL.String()'))).toEqual([])
  expect(found('a.go', go('r.URL.Query().Get("next")'))).toEqual(['go-redirect-from-request'])
})

test('an object of an unseen class in the session is not the text that it was made of', () => {
  const servlet = (value: string): string => `import javax.servlet.http.*;
class A extends HttpServlet { void doGet(HttpServletRequest request, HttpServletResponse response) {
  request.getSession().setAttribute("user", ${value});
} }`
  expect(found('A.java', servlet('new Account(request.getParameter("user"))'))).toEqual([])
  expect(found('A.java', servlet('request.getParameter("user")'))).toEqual(['java-trust-boundary'])
})
