import { expect, test } from 'vitest'
import { scanSnippet } from '../../../engine/scan/snippet/scan.ts'
import { context } from '../../made/call.ts'
import { folder } from '../../made/folder.ts'

/** A repository without files. */
const scan = (filename: string, code: string) => scanSnippet({ filename, code }, context(folder({ '.git/HEAD': '' })))

/** Rule, line and column of each finding. */
async function listPlaces(filename: string, code: string) {
  const { findings } = await scan(filename, code)
  return findings.map(({ rule_id, line, column }) => `${rule_id} ${line}:${column}`)
}

test.each([
  ['a.js', 'eval(req.query.x)', 'code-injection 1:1'],
  [
    'a.ts',
    'const name: string = req.body.name\n  await db.query(`SELECT * FROM t WHERE n = ${name}`)',
    'sql-injection 2:9',
  ],
  ['a.py', 'os.system(request.args["x"])', 'command-injection 1:1'],
  ['a.py', 'def ping():\n    os.system("ping " + request.form["x"])', 'command-injection 2:5'],
  ['A.java', 'Runtime.getRuntime().exec(request.getParameter("x"));', 'command-injection 1:1'],
  [
    'A.java',
    'import java.io.*;\nvoid run(HttpServletRequest r) {\n  Runtime.getRuntime().exec(r.getParameter("x"));\n}',
    'command-injection 3:3',
  ],
  ['a.go', 'exec.Command("sh", "-c", r.FormValue("x")).Run()', 'command-injection 1:1'],
  ['a.go', 'package a\n\nexec.Command("sh", "-c", r.FormValue("x")).Run()', 'command-injection 3:1'],
  ['a.php', 'system($_GET["x"]);', 'command-injection 1:1'],
  ['a.rb', 'system("ls #{params[:x]}")', 'command-injection 1:1'],
  ['A.cs', 'Process.Start("cmd.exe", "/c " + Request.Query["x"]);', 'command-injection 1:1'],
])('code without its imports and its handler is found in %s: %s', async (filename, code, place) => {
  expect(await listPlaces(filename, code)).toEqual([place])
})

test.each([
  ['a.js', 'eval(parseInt(req.query.x))'],
  ['a.js', "db.query('SELECT * FROM users WHERE name = ?', [req.query.name])"],
  ['a.py', 'os.system("ping " + shlex.quote(request.args["x"]))'],
  ['a.go', 'rows, err := db.Query("SELECT * FROM users WHERE name = $1", r.FormValue("name"))'],
])('safe code is clean with the request that it is taken to have in %s: %s', async (filename, code) => {
  const { findings, unknown_origins } = await scan(filename, code)
  expect([findings, unknown_origins]).toEqual([[], []])
})

test('a finding that rests on an assumption says so', async () => {
  const { findings } = await scan('a.js', 'eval(req.query.x)')
  expect(findings[0]!.message).toMatch(
    / `req` is declared nowhere in this code; it was taken for the HTTP request of Express\.$/,
  )
})

test('a finding that rests on the code being no whole file says so', async () => {
  const { findings } = await scan('A.java', 'Runtime.getRuntime().exec(request.getParameter("x"));')
  expect(findings[0]!.message).toMatch(/ This code was taken for the body of a method\.$/)
})

test('such a finding is the same as that of the code with its handler: snippet, fingerprint and flow', async () => {
  const whole = await scan('a.js', 'app.get("/", (req, res) => {\neval(req.query.x)\n})')
  const alone = await scan('a.js', 'eval(req.query.x)')
  const pick = ({ findings: [found] }: typeof whole) => [
    found!.fingerprint,
    found!.snippet,
    found!.flow!.map(({ label, column }) => `${label} ${column}`),
  ]
  expect(pick(alone)).toEqual(pick(whole))
  expect(alone.findings[0]!.flow!.map(({ line }) => line)).toEqual([1, 1, 1])
})

test('a comment in the code suppresses such a finding', async () => {
  const { findings } = await scan('a.js', '// svc-ignore: code-injection -- tested\neval(req.query.x)')
  expect(findings.map(({ status }) => status)).toEqual(['suppressed'])
})

test('what is found without an assumption is not found twice, and says nothing of one', async () => {
  const { findings } = await scan(
    'a.js',
    'const load = (req) => eval(req.query.x)\nexec(req.query.y)\neval(ctx.query.z)',
  )
  expect(findings.map(({ line, message }) => [line, /is declared nowhere/.test(message)])).toEqual([
    [1, false],
    [3, true],
  ])
})

test('a name that the code declares is taken for nothing', async () => {
  expect(await listPlaces('a.js', 'const req = { query: { x: "1 + 1" } }\neval(req.query.x)')).toEqual([])
})

test('a name of unknown origin in a severe sink is no finding, but named', async () => {
  const { findings, unknown_origins } = await scan('a.js', 'const x = 1\n  eval(input)')
  expect(findings).toEqual([])
  expect(unknown_origins).toMatchObject([{ name: 'input', rule_id: 'code-injection', line: 2, column: 3 }])
})

test.each([
  ['a.js', 'res.redirect(target)'],
  ['a.js', 'exec("ls " + __dirname)'],
  ['a.js', 'const input = "1 + 1"\neval(input)'],
  ['a.js', 'function run(command) {\n  exec(command)\n}'],
  ['a.js', '// svc-ignore: code-injection -- tested\neval(input)'],
  ['a.py', 'subprocess.run(["ls", name], stdout=subprocess.PIPE)'],
])('nothing is named where no name of unknown origin reaches a severe sink in %s: %s', async (filename, code) => {
  expect((await scan(filename, code)).unknown_origins).toEqual([])
})

test.each([
  ['a.js', 'fetch(url)'],
  ['a.js', 'exec("convert " + path)'],
  ['a.py', 'os.system("cat " + string)'],
])('a name that is also a module is unknown where it is used as a value in %s: %s', async (filename, code) => {
  expect((await scan(filename, code)).unknown_origins).toHaveLength(1)
})

test.each([
  ['a.js', 'function run(req) {\n  const a = req.query.a\n  exec("x " + target)\n  return a\n}'],
  ['a.rb', 'def index\n  @u = User.find(params[:id])\n  send_file attachment_path\nend'],
])('a name that is used only inside a function is not named in %s', async (filename, code) => {
  expect((await scan(filename, code)).unknown_origins).toEqual([])
})

test('what the scan for undeclared names could not evaluate is not evaluated', async () => {
  const line = (n: number) => `if(b){a=a+params.y${n}}else{o[a]=[a,o]};while(k(a)){for(const z of o){a+=z}}`
  const code = `${Array.from({ length: 800 }, (_, n) => line(n)).join('\n')}\nexec(a)`
  const { findings, run } = await scan('a.js', code)
  expect(findings).toEqual([])
  expect(run.not_evaluated.map(({ reason }) => reason)).toContain('too_costly')
})

test('code that is nested too deeply to look for names is not evaluated, and said to be', async () => {
  const notices: string[] = []
  const here = { ...context(folder({ '.git/HEAD': '' })), notice: (text: string) => notices.push(text) }
  const { findings, run } = await scanSnippet(
    { filename: 'a.js', code: `eval(${'['.repeat(850)}input${']'.repeat(850)})` },
    here,
  )
  expect(findings).toEqual([])
  expect(run.not_evaluated).toContainEqual(expect.objectContaining({ rule_id: 'code-injection', reason: 'too_deep' }))
  expect(notices.join()).toContain('nested too deeply')
})

test('names beyond the first two hundred are not looked at, which is said', async () => {
  const notices: string[] = []
  const here = { ...context(folder({ '.git/HEAD': '' })), notice: (text: string) => notices.push(text) }
  const code = Array.from({ length: 300 }, (_, n) => `eval(n${n})`).join('\n')
  const { unknown_origins, run } = await scanSnippet({ filename: 'a.js', code }, here)
  expect(unknown_origins).toHaveLength(200)
  expect(run.not_evaluated).toContainEqual(expect.objectContaining({ rule_id: 'code-injection', reason: 'too_costly' }))
  expect(notices).toEqual(['Of 300 undeclared names the first 200 were looked at.'])
})

test('a byte order mark is no part of the code', async () => {
  expect(await listPlaces('a.js', '\uFEFFeval(req.query.x)')).toEqual(['code-injection 1:1'])
})

test('invisible signs in a name are written out', async () => {
  const { unknown_origins } = await scan('a.php', '<?php system($a\u202Eb);')
  for (const { message } of unknown_origins) expect(message).not.toContain('\u202E')
  expect(unknown_origins).toHaveLength(1)
})
