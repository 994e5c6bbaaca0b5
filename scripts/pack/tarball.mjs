// What a platform's package consists of, and how it becomes a tarball.

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
import { external, root } from '../bundling.mjs'
import { listFiles, listGrammars, listNeeded, readNotice } from './packages.mjs'
import { PLATFORMS } from './platforms.mjs'

/** Of dist, what only the build itself runs. */
const BUILD_ONLY = new Set(['compile-packs.js', 'bundled.json'])

export const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))

/**
 * The files of the package that holds the program with all that it needs on a platform, as `{ to, from }` or `{ to, content }`. `fields`
 * are added to its package.json, which has the program's name and no command without them.
 */
export function listPackageFiles(platformName, fields) {
  const platform = PLATFORMS[platformName]
  const fetched = mkdtempSync(join(tmpdir(), 'svc-pack-'))
  try {
    // Read now: what was fetched for another platform is removed.
    return [...listProgram(platform, fields), ...listPackages(platform, fetched)].map(({ to, from, content }) => ({
      to,
      content: content ?? readFileSync(from),
      mode: to === 'dist/svc.js' || (from && statSync(from).mode & 0o100) ? 0o755 : 0o644,
    }))
  } finally {
    rmSync(fetched, { recursive: true, force: true })
  }
}

/** Writes an npm tarball: the same bytes for the same files and commit. The result has its sizes in bytes and its SHA-256. */
export async function writeTarball(path, files) {
  const mtime = new Date(1000 * readCommitTime())
  const archive = tar.pack()
  const written = pipeline(archive, createGzip(), createWriteStream(`${path}.part`))
  let unpacked = 0
  for (const { to, content, mode = 0o644 } of [...files].sort((a, b) => (a.to < b.to ? -1 : 1))) {
    unpacked += content.length
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
  return { size: bytes.length, unpacked, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** What every package of svc says of itself in its package.json. */
export function describePackage() {
  const { name, version, description, license, engines } = own
  return { name, version, description, license, ...(own.repository && { repository: own.repository }), engines }
}

/** The pages that every package brings. */
export function listPages() {
  return ['README.md', 'LICENSE', 'CHANGELOG.md'].map(file => ({ to: file, from: join(root, file) }))
}

/** The program itself: what npm has to know of it, and its files. */
function listProgram({ os, cpu, libc }, fields) {
  const manifest = { ...describePackage(), ...fields, os: [os], cpu: [cpu], ...(libc && { libc: [libc] }) }
  return [
    { to: 'package.json', content: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) },
    ...listPages(),
    ...listBelow('dist').filter(
      ({ to }) => !BUILD_ONLY.has(to.slice('dist/'.length)) && !isForeign(to, `${os}-${cpu}`),
    ),
  ]
}

/** Whether a file is another platform's parser. */
function isForeign(to, platform) {
  return to.startsWith('dist/grammars/') && !to.endsWith(`/${platform}.node`)
}

function listBelow(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry =>
    entry.isDirectory()
      ? listBelow(`${folder}/${entry.name}`)
      : { to: `${folder}/${entry.name}`, from: join(root, folder, entry.name) },
  )
}

/** The packages that are not bundled, in dist/node_modules, where npm does not look for what it should install. */
function listPackages(platform, fetched) {
  const needed = listNeeded(lock, external)
  const natives = platform.natives.map(name => ({ path: `node_modules/${name}`, folder: findNative(name, fetched) }))
  const packages = [...needed.map(path => ({ path, folder: join(root, path) })), ...natives]
  const grammars = listGrammars(lock).flatMap(name => {
    const parser = `prebuilds/${platform.parsers}/parser.so`
    const from = join(root, 'node_modules', name, parser)
    // A grammar without a parser here: files of its language are listed as not evaluated.
    return existsSync(from) ? { to: `dist/node_modules/${name}/${parser}`, from } : []
  })
  const notices = new Set([
    ...packages.map(({ folder }) => folder),
    ...listGrammars(lock).map(name => join(root, 'node_modules', name)),
    ...JSON.parse(readFileSync(join(root, 'dist/bundled.json'), 'utf8')).map(path => join(root, path)),
  ])
  return [
    ...packages.flatMap(({ path, folder }) =>
      listFiles(folder, path.split('node_modules/').at(-1), platform).map(file => ({
        to: `dist/${path}/${file}`,
        from: join(folder, file),
      })),
    ),
    ...grammars,
    { to: 'THIRD-PARTY-NOTICES', content: Buffer.from(formatNotices([...notices].map(readNotice))) },
  ]
}

/** A native package: from node_modules where it is this platform's, else by npm, in the version of the lock file. */
function findNative(name, fetched) {
  const installed = join(root, 'node_modules', name)
  if (existsSync(installed)) return installed
  const folder = join(fetched, name.replaceAll('/', '-'))
  mkdirSync(folder)
  const spec = `${name}@${lock.packages[`node_modules/${name}`].version}`
  const printed = execFileSync('npm', ['pack', spec, '--json', '--pack-destination', folder], { encoding: 'utf8' })
  const [{ filename, integrity }] = JSON.parse(printed)
  const expected = lock.packages[`node_modules/${name}`].integrity
  if (expected !== integrity)
    throw new Error(`${spec} does not have the digest in package-lock.json: ${integrity} instead of ${expected}`)
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

function readCommitTime() {
  const { SOURCE_DATE_EPOCH } = process.env
  if (SOURCE_DATE_EPOCH !== undefined) return Number(SOURCE_DATE_EPOCH)
  return Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }))
}
