// Takes a picture of every page of the dashboard, over a repository that is made for it: in both themes and three widths.
// Usage: npm run gallery [-- <directory>]. Without a directory, the pictures of docs/gallery are made anew: one width, light.
import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { sample } from '../engine/detect/secrets/sample.ts'
import { launch } from '../test/browser/launch.ts'

const run = promisify(execFile)
const ROOT = resolve(import.meta.dirname, '..')
const PROGRAM = join(ROOT, 'dist/svc.js')
const APPLICATIONS = join(ROOT, 'test/applications')

/** The pages in the order of the navigation. */
const PAGES = [...readFileSync(join(ROOT, 'api/dashboard/shell/registry.ts'), 'utf8').matchAll(/^ {2}(\w+): \{/gm)].map(
  ([, name]) => name!,
)
const HIDDEN = new Set(['finding', 'rule', 'compare', 'design'])
/** Milliseconds in which a page has drawn what it has. */
const DRAWN = 2500

const directory = process.argv[2]
const widths = directory ? [360, 820, 1440] : [1280]
const themes = directory ? (['light', 'dark'] as const) : (['light'] as const)
const target = resolve(directory ?? join(ROOT, 'docs/gallery'))

async function takeAll(browser: Browser, base: string, colorScheme: 'light' | 'dark', width: number): Promise<void> {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } })
  const page = await context.newPage()
  for (const name of PAGES.filter(each => !HIDDEN.has(each))) {
    await page.goto(`${base}/dashboard#/${name}`)
    await setTimeout(DRAWN)
    if (name === 'findings' && width > 1000) {
      await page.locator('.finding-line').first().click()
      await page.locator('.detail .meta').waitFor()
    }
    const file = directory ? `${name}-${colorScheme}-${width}.png` : `${name}.png`
    await page.screenshot({ path: join(target, file) })
    console.error(file)
  }
  await context.close()
}

/** Services with faults, a history of runs in which some are mended, and what the other commands make. */
async function makeRepository(): Promise<string> {
  const folder = join(mkdtempSync(join(tmpdir(), 'svc-gallery-')), 'shop')
  for (const name of readdirSync(APPLICATIONS).filter(each => each.endsWith('.txt')))
    for (const part of readFileSync(join(APPLICATIONS, name), 'utf8').split(/^=== /m).slice(1)) {
      const [path = '', ...lines] = part.split('\n')
      write(
        join(folder, 'services', name.replace('.txt', ''), path.trim()),
        lines.join('\n').replaceAll(/ «[^»]*»/g, ''),
      )
    }
  write(join(folder, 'requirements.yaml'), REQUIREMENTS)
  write(join(folder, 'deploy/release.sh'), `export GITHUB_TOKEN=${LIVE}\ngh release create\n`)
  write(join(folder, 'deploy/legacy.env'), `GITHUB_TOKEN=${LIVE}\nOLD_GITHUB_TOKEN=${REVOKED}\n`)
  write(join(folder, 'services/orders/settings.py'), `STRIPE_KEY = "${sample('sk_live_{base62:24}', 'unasked')}"\n`)
  const env = environmentOf(folder)
  const git = (...args: string[]) => run('git', args, { cwd: folder })
  await git('init', '-q')
  await git('config', 'user.name', 'Dana')
  await git('config', 'user.email', 'dana@example.com')
  const svc = (...args: string[]) =>
    run(process.execPath, [PROGRAM, ...args], { cwd: folder, env, maxBuffer: 1 << 26 }).catch(
      (error: { code?: number }) => {
        // What a command finds is no failure of the picture.
        if (typeof error.code !== 'number' || error.code >= 64)
          console.error(`svc ${args.join(' ')}: exit ${error.code}`)
      },
    )
  for (let n = 1; n <= 6; n++) {
    appendFileSync(join(folder, 'services/express/history.js'), `module.exports.step${n} = q => eval(q)\n`)
    if (n > 3) rmSync(join(folder, 'services', ['aspnet', 'django', 'flask'][n - 4]!), { recursive: true, force: true })
    await git('add', '.')
    await git('commit', '-qm', `step ${n}`)
    await svc('scan')
    await svc('quality-score')
  }
  for (const command of COMMANDS) await svc(...command)
  const provider = createServer((request, response) => {
    response.writeHead(request.headers.authorization?.endsWith(LIVE) ? 200 : 401).end('{}')
  })
  await new Promise<void>(resolve => provider.listen(0, '127.0.0.1', resolve))
  env.SVC_VERIFY_BASE = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  await svc('secrets', '--verify', '--providers', 'GitHub')
  provider.close()
  return folder
}

/** Tokens of nobody, made anew from their form; a server of the pictures' own says of which it is live. */
const LIVE = sample('ghp_{base62:30}{crc32}', 'live')
const REVOKED = sample('ghp_{base62:30}{crc32}', 'revoked')

const COMMANDS = [
  ['gate'],
  ['sbom'],
  ['licenses'],
  ['vulns', '--offline'],
  ['compliance-report'],
  ['threat-model'],
  ['review-design'],
  ['attest'],
  ['task-bind', 'mend the login form', '--path', 'services/flask-files/**'],
  ['request-approval', 'dependency_add', '--title', 'add left-pad', '--context', 'needed to pad the numbers of orders'],
]

const REQUIREMENTS = `requirements:
  - id: SHOP-1
    title: Orders are listed for their customer only
    source: "interview of 2026-11-02"
  - id: SHOP-2
    title: A login is refused after five wrong passwords
`

/** The records of agents are signed with a key that stands beside the repository. */
function environmentOf(repository: string): NodeJS.ProcessEnv {
  return { ...process.env, XDG_STATE_HOME: join(dirname(repository), 'state') }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function addressOf(server: ChildProcessByStdio<null, Readable, Readable>): Promise<string> {
  return new Promise((found, failed) => {
    let said = ''
    const read = (chunk: Buffer) => {
      said += String(chunk)
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0]
      if (address) found(address)
    }
    server.stdout.on('data', read)
    server.stderr.on('data', read)
    server.once('exit', code => failed(new Error(`svc dashboard ended with ${code}: ${said}`)))
  })
}

const repository = await makeRepository()
const server = spawn(process.execPath, [PROGRAM, 'dashboard', '--port', '0'], {
  cwd: repository,
  env: environmentOf(repository),
  stdio: ['ignore', 'pipe', 'pipe'],
})
try {
  const base = await addressOf(server)
  const browser = await launch()
  mkdirSync(target, { recursive: true })
  for (const theme of themes) for (const width of widths) await takeAll(browser, base, theme, width)
  await browser.close()
} finally {
  server.kill()
  rmSync(repository, { recursive: true, force: true })
}
