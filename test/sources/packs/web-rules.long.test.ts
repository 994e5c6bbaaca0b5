import { beforeAll, expect, test } from 'vitest'
import { filterPaths } from '../../../engine/base/text/glob.ts'
import { scanFile } from '../../../engine/detect/file/file-scan.ts'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import type { CompiledRule } from '../../../engine/detect/rules/active-rules.ts'
import { registerGrammars } from '../../../engine/detect/syntax/grammar.ts'
import type { Pack } from '../../../engine/sources/packs/pack.ts'
import { effort } from '../../made/effort.ts'
import { loadShippedPacks } from '../../made/shipped-packs.ts'

let packs: readonly Pack[]
beforeAll(async () => {
  registerGrammars()
  packs = await loadShippedPacks()
})

const rulesOf = (...ids: string[]) => packs.filter(({ id }) => ids.includes(id)).flatMap(({ rules }) => rules)

const compiled = new Map<string, RuleSet>()

/** The rules as a scan uses them; each set is made once for all the texts that it is asked about. */
function compile(rules: readonly CompiledRule[]): RuleSet {
  const key = rules.map(({ id }) => id).join()
  const set = compiled.get(key) ?? new RuleSet(rules)
  compiled.set(key, set)
  return set
}

/** Rule and line of each finding. */
function find(
  rules: readonly CompiledRule[],
  language: string,
  code: string,
  path = `src/example.${language}`,
): string[] {
  const file = { path, language, in_test: false, bytes: new TextEncoder().encode(code) }
  const scan = scanFile(compile(rules), file, {
    rule_deadline_ms: 60_000,
    file_deadline_ms: 60_000,
    max_parse_bytes: 1 << 20,
  })
  const { matches, failures } = scan
  expect(failures).toEqual([])
  return matches.map(({ rule, line }) => `${rules[rule]!.id}:${line}`)
}

test('a rule for JavaScript and TypeScript finds each of its examples whichever of the two grammars reads it', () => {
  for (const rule of rulesOf('javascript-typescript', 'node-web')) {
    for (const language of rule.languages) {
      for (const { code, path } of rule.match) {
        // Examples with a path are written in the one language.
        if (path === undefined)
          expect(find([rule], language, code), `${rule.id} in ${language}: ${code}`).not.toEqual([])
      }
      // A clean example may be so because of where it stands, which a rule's files are asked for before it is run, or because of its types.
      for (const { code, path } of rule.clean)
        if (path === undefined || (filterPaths(rule)(path) && !(language === 'javascript' && path.endsWith('.ts'))))
          expect(find([rule], language, code, path), `${rule.id} in ${language}: ${code}`).toEqual([])
    }
  }
}, 480_000)

test('a command from a request is one finding, of the rule that knows the request, in Python and in JavaScript', () => {
  const python = `
def ping(request):
    host = request.GET["host"]
    command = "ping -c 1 " + host
    os.system(command)
`
  expect(find(rulesOf('python', 'django-flask-fastapi'), 'python', python)).toEqual(['python-command-injection:5'])
  const javascript = `
const { exec } = require('child_process')
app.get('/ping', (req, res) => {
  const { host } = req.query
  const command = 'ping -c 1 ' + host
  exec(command, (error, out) => res.json({ out }))
})
`
  expect(find(rulesOf('javascript-typescript', 'node-web'), 'javascript', javascript)).toEqual([
    'node-command-from-request:6',
  ])
})

test('a variable of another function is not taken for the one that holds the request', () => {
  const code = `
def first(request):
    path = request.GET["path"]
    return render(request, "page.html", {"path": path})

def second():
    path = "list.txt"
    return open(path).read()
`
  expect(find(rulesOf('django-flask-fastapi'), 'python', code)).toEqual([])
})

test('a value that was cast to a number before it is used is not followed further', () => {
  const code = `
app.get('/page', (req, res) => {
  const page = parseInt(req.query.page, 10)
  fs.readFile('pages/' + page + '.html', 'utf8', (error, text) => res.json({ text }))
})
`
  expect(find(rulesOf('node-web'), 'javascript', code)).toEqual([])
})

test('a file of one long line with hundreds of functions is read in seconds, however many variables share a name', () => {
  const block =
    'function f(e){var t=e.a;var n=t+"<b>";e.innerHTML=n;$(e).html(n);fetch(n);fs.readFile(n,t);return function(e){var t=n;return t+e}}'
  const rules = rulesOf('javascript-typescript', 'node-web')
  // It takes one second or two.
  expect(effort(() => find(rules, 'javascript', block.repeat(800)))).toBeLessThan(30_000)
})
