// Compares cyclomatic and cognitive complexity, function by function, with ESLint and eslint-plugin-sonarjs over JavaScript files.
// Usage: npx tsx bench/accuracy/complexity.ts DIRECTORY [PLUGINS], where PLUGINS is a directory in which both are installed
// (npm install eslint eslint-plugin-sonarjs); they are not dependencies of svc, since they bring ninety packages.
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { measureWithFunctions } from '../../engine/detect/metrics/measure.ts'

interface Measured {
  line: number
  cyclomatic: number
  cognitive: number
}

interface Message {
  ruleId: string | null
  fatal?: boolean
  line: number
  message: string
}

const [directory, plugins = '.'] = process.argv.slice(2)
if (!directory) {
  console.error('Usage: npx tsx bench/accuracy/complexity.ts DIRECTORY [PLUGINS]')
  process.exit(64)
}
const require = createRequire(join(resolve(plugins), 'package.json'))
const { Linter } = require('eslint') as {
  Linter: new () => { verify(text: string, config: object, options: object): Message[] }
}
const linter = new Linter()
const sonarjs = require('eslint-plugin-sonarjs') as object
/** Lines by which a function's head may be longer than svc's idea of where it begins. */
const HEAD = 6
const LARGEST = 400_000

function listScripts(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile() && /\.[cm]?js$/.test(entry.name) && !entry.name.includes('.min.'))
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
}

/** The functions of a text as the two rules measure them; undefined where ESLint cannot parse it. */
function measureByRules(text: string): Measured[] | undefined {
  for (const sourceType of ['module', 'commonjs']) {
    const rules = { complexity: ['error', 0], 'sonarjs/cognitive-complexity': ['error', 0] }
    const linterOptions = { noInlineConfig: true, reportUnusedDisableDirectives: 'off' }
    const languageOptions = { ecmaVersion: 'latest', sourceType }
    const messages = linter.verify(text, [{ plugins: { sonarjs }, languageOptions, rules, linterOptions }], {
      filename: 'a.js',
    })
    if (!messages.some(({ fatal }) => fatal)) return pairMessages(messages)
  }
  return undefined
}

function pairMessages(messages: readonly Message[]): Measured[] {
  const read = (rule: string, pattern: RegExp) =>
    messages
      .filter(({ ruleId, message }) => ruleId === rule && !/^Class (?:field|static)/i.test(message))
      .map(({ line, message }) => ({ line, value: Number(pattern.exec(message)?.[1]) }))
      .sort((a, b) => a.line - b.line || b.value - a.value)
  const cognitive = read('sonarjs/cognitive-complexity', /from (\d+) to/)
  return read('complexity', /complexity of (\d+)/).map(({ line, value }) => {
    const at = cognitive.findIndex(one => one.line === line)
    return { line, cyclomatic: value, cognitive: at < 0 ? 0 : cognitive.splice(at, 1)[0]!.value }
  })
}

let functions = 0
let cyclomatic = 0
let cognitive = 0
for (const file of listScripts(directory)) {
  const text = readFileSync(file, 'utf8')
  const theirs = text.length > LARGEST ? undefined : measureByRules(text)
  if (!theirs) continue
  functions += theirs.length
  // In the reading of the two: shortcuts decide, and alternatives cost nothing.
  const ours: Measured[] = measureWithFunctions('javascript', Buffer.from(text)).functions.map(found => ({
    line: found.line,
    cyclomatic: found.cyclomatic + found.shortcuts,
    cognitive: found.cognitive - found.alternatives,
  }))
  const isNear = (a: Measured, b: Measured) => b.line <= a.line && b.line >= a.line - HEAD
  const isSame = (a: Measured, b: Measured) => a.cyclomatic === b.cyclomatic && a.cognitive === b.cognitive
  for (const fits of [
    (a: Measured, b: Measured) => a.line === b.line && isSame(a, b),
    (a: Measured, b: Measured) => isNear(a, b) && isSame(a, b),
    (a: Measured, b: Measured) => a.line === b.line,
  ])
    for (let at = theirs.length - 1; at >= 0; at--) {
      const found = ours.findIndex(own => fits(theirs[at]!, own))
      if (found < 0) continue
      const [own] = ours.splice(found, 1)
      const [other] = theirs.splice(at, 1)
      if (own!.cyclomatic === other!.cyclomatic) cyclomatic++
      if (own!.cognitive === other!.cognitive) cognitive++
      if (!isSame(own!, other!))
        console.log(
          `${file}:${other!.line}: svc ${own!.cyclomatic}, ${own!.cognitive}; rules ${other!.cyclomatic}, ${other!.cognitive}`,
        )
    }
}
const share = (count: number) => `${((100 * count) / functions).toFixed(2)} %`
console.log(`${functions} functions: cyclomatic ${share(cyclomatic)} equal, cognitive ${share(cognitive)} equal`)
