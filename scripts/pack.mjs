// npm run pack [-- --platform linux-x64 …]: makes one tarball a platform, which holds the program with all that it needs there, so that
// installing it downloads nothing else and runs no script. For this machine's platform where none is named; `all` for each.
// Tarballs of the same commit have the same bytes (SOURCE_DATE_EPOCH, else the commit's time). They are written to packed/.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import tar from 'tar-stream'
import { external, root } from './bundling.mjs'
import { listFiles, listGrammars, listNeeded, readNotice } from './pack/packages.mjs'
import { PLATFORMS } from './pack/platforms.mjs'

/** Of dist, what only the build itself runs. */
const BUILD_ONLY = new Set(['compile-packs.js'])

const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
const wanted = namesOf(process.argv.slice(2))
if (!existsSync(join(root, 'dist/svc.js'))) fail('dist/ is missing: run `npm run build` first')
const out = join(root, 'packed')
const fetched = mkdtempSync(join(tmpdir(), 'svc-pack-'))
try {
  mkdirSync(out, { recursive: true })
  for (const name of wanted) await pack(name, PLATFORMS[name])
} finally {
  rmSync(fetched, { recursive: true, force: true })
}

function namesOf(args) {
  const named = args.filter(arg => arg !== '--platform')
  const names = named.includes('all') ? Object.keys(PLATFORMS) : named
  if (names.length === 0) names.push(`${process.platform}-${process.arch}`)
  for (const name of names)
    if (!(name in PLATFORMS))
      fail(`there is no platform ${name}; there are ${Object.keys(PLATFORMS).join(', ')}, and all`)
  return names
}

/** Writes the tarball of a platform, and a line with its sizes and digest. */
async function pack(name, platform) {
  const path = join(out, `${own.name}-${own.version}-${name}.tgz`)
  const files = [...listProgram(platform), ...listPackages(platform)].sort((a, b) => (a.to < b.to ? -1 : 1))
  const mtime = new Date(1000 * timeOfCommit())
  const archive = tar.pack()
  const written = pipeline(archive, createGzip(), createWriteStream(`${path}.part`))
  let size = 0
  for (const { to, from, content = readFileSync(from) } of files) {
    size += content.length
    const mode = to === 'dist/svc.js' || (from && statSync(from).mode & 0o100) ? 0o755 : 0o644
    await new Promise((resolve, reject) =>
      archive.entry({ name: `package/${to}`, mode, mtime, type: 'file' }, content, error =>
        error ? reject(error) : resolve(),
      ),
    )
  }
  archive.finalize()
  await written
  renameSync(`${path}.part`, path)
  const bytes = readFileSync(path)
  const digest = createHash('sha256').update(bytes).digest('hex')
  console.log(`${path}\n  ${mb(bytes.length)} packed, ${mb(size)} unpacked, ${files.length} files, sha256 ${digest}`)
}

/** The program itself: what npm has to know of it, its files, and the licences of what comes with it. */
function listProgram(platform) {
  const { os, cpu, libc } = platform
  const { name, version, description, license, bin, engines } = own
  const manifest = {
    name,
    version,
    description,
    license,
    bin,
    engines,
    os: [os],
    cpu: [cpu],
    ...(libc && { libc: [libc] }),
  }
  return [
    { to: 'package.json', content: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) },
    ...['README.md', 'LICENSE', 'CHANGELOG.md'].map(file => ({ to: file, from: join(root, file) })),
    ...listBelow('dist').filter(({ to }) => !BUILD_ONLY.has(to.slice('dist/'.length))),
  ]
}

function listBelow(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry =>
    entry.isDirectory()
      ? listBelow(`${folder}/${entry.name}`)
      : { to: `${folder}/${entry.name}`, from: join(root, folder, entry.name) },
  )
}

/** The packages that are not bundled, in dist/node_modules, where npm does not look for what it should install. */
function listPackages(platform) {
  const needed = listNeeded(lock, external)
  const natives = platform.natives.map(name => ({ path: `node_modules/${name}`, folder: findNative(name) }))
  const packages = [...needed.map(path => ({ path, folder: join(root, path) })), ...natives]
  const grammars = listGrammars(lock).flatMap(name => {
    const parser = `prebuilds/${platform.parsers}/parser.so`
    const from = join(root, 'node_modules', name, parser)
    // A grammar without a parser here: files of its language are listed as not evaluated.
    return existsSync(from) ? { to: `dist/node_modules/${name}/${parser}`, from } : []
  })
  const notices = [
    ...packages.map(({ folder }) => folder),
    ...listGrammars(lock).map(name => join(root, 'node_modules', name)),
  ]
  return [
    ...packages.flatMap(({ path, folder }) =>
      listFiles(folder, path.split('node_modules/').at(-1), platform).map(file => ({
        to: `dist/${path}/${file}`,
        from: join(folder, file),
      })),
    ),
    ...grammars,
    { to: 'THIRD-PARTY-NOTICES', content: Buffer.from(formatNotices(notices.map(readNotice))) },
  ]
}

/** A native package: from node_modules where it is this platform's, else by npm, in the version of the lock file. */
function findNative(name) {
  const installed = join(root, 'node_modules', name)
  if (existsSync(installed)) return installed
  const folder = join(fetched, name.replaceAll('/', '-'))
  mkdirSync(folder)
  const spec = `${name}@${lock.packages[`node_modules/${name}`].version}`
  const printed = execFileSync('npm', ['pack', spec, '--json', '--pack-destination', folder], { encoding: 'utf8' })
  const [{ filename, integrity }] = JSON.parse(printed)
  const expected = lock.packages[`node_modules/${name}`].integrity
  if (expected !== integrity)
    fail(`${spec} has not the digest of package-lock.json: ${integrity} instead of ${expected}`)
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', folder])
  return join(folder, 'package')
}

/** Each package once, with its licence. */
function formatNotices(notices) {
  const byName = new Map(notices.map(notice => [`${notice.name} ${notice.version}`, notice]))
  const parts = [...byName]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([title, { license, text }]) => `${title} (${license})\n\n${text}\n`)
  return `svc comes with these packages.\n\n${parts.join(`\n${'-'.repeat(80)}\n\n`)}`
}

function timeOfCommit() {
  const { SOURCE_DATE_EPOCH } = process.env
  if (SOURCE_DATE_EPOCH !== undefined) return Number(SOURCE_DATE_EPOCH)
  return Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }))
}

function mb(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

function fail(message) {
  console.error(message)
  process.exit(64)
}
