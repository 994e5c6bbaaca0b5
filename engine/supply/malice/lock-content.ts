import { normalizeName } from '../inventory/ecosystems.ts'
import { directoryOf } from '../inventory/paths.ts'
import { findKeyLines, findLine, readJson } from '../inventory/syntax/json.ts'
import { asFields, asText, asTexts, type Fields } from '../inventory/syntax/shape.ts'
import { ARCHIVE_LOCKS, type MaliceSources, NPM_LOCKS, type ReadManifest, type Suspicion } from './sources.ts'

/** Findings of one kind in one file: a lock file of another branch disagrees in everything. */
const MOST_OF_FILE = 20

/** Lock files whose digests are those of the archive that everybody downloads. */
const DIGEST_LOCKS = new Set([...ARCHIVE_LOCKS, 'cargo-lock'])

/** Reports the same version of a package with two digests in two lock files: one of them is not what was published. */
export function checkDigests({ files }: MaliceSources): Suspicion[] {
  const known = new Map<string, { value: string; file: string }>()
  return files.flatMap(({ file, format, ecosystem, parsed }) => {
    if (!DIGEST_LOCKS.has(format)) return []
    return (parsed.entries ?? []).flatMap(({ name, version, hashes = [], line, resolved }): Suspicion[] => {
      if (version === undefined || (ARCHIVE_LOCKS.has(format) && resolved === undefined && format !== 'pnpm-lock'))
        return []
      return hashes.flatMap(({ algorithm, value }): Suspicion[] => {
        const key = [ecosystem, name, version, algorithm].join('\0')
        const before = known.get(key)
        if (before === undefined) known.set(key, { value, file })
        if (before === undefined || before.value === value || before.file === file) return []
        return [
          {
            ...{ rule: 'lock-file-digest-conflict', severity: 'high', cwe: ['CWE-345'], file, line },
            title: `Lock files disagree on the digest of ${name} ${version}`,
            message: `An attacker can have replaced the package in one of them: ${file} and ${before.file} have different ${algorithm} digests of ${name} ${version}.`,
            remediation: 'Compare both with the digest that the registry publishes, and restore the wrong lock file.',
            subject: `${name}@${version} ${algorithm}`,
          },
        ]
      })
    })
  })
}

/** Manifest formats by family whose lock file must name every declared dependency. */
const DECLARING: Readonly<Record<string, readonly string[]>> = {
  cargo: ['cargo-lock'],
  composer: ['composer-lock'],
  gemfile: ['gemfile-lock'],
  pipfile: ['pipfile-lock'],
}

/** Reports dependencies that a manifest declares and the lock file beside it does not have, or has for another requirement. */
export function checkAgreement({ files }: MaliceSources): Suspicion[] {
  return files.flatMap(manifest => {
    if (manifest.kind !== 'manifest') return []
    const directory = directoryOf(manifest.file)
    const locks = files.filter(
      ({ kind, family, file }) => kind === 'lock' && family === manifest.family && directoryOf(file) === directory,
    )
    // Of two lock files at most one is kept up to date.
    if (locks.length !== 1) return []
    const [lock] = locks as [ReadManifest]
    if ((lock.parsed.faults?.length ?? 0) > 0) return []
    const found = manifest.format === 'package-json' ? checkNpm(manifest, lock) : checkNames(manifest, lock)
    return found.slice(0, MOST_OF_FILE)
  })
}

function checkNames(manifest: ReadManifest, lock: ReadManifest): Suspicion[] {
  if (!DECLARING[manifest.format]?.includes(lock.format)) return []
  const names = listNames(lock)
  return (manifest.parsed.projects ?? [])
    .flatMap(({ declares = [] }) => declares)
    .filter(({ name, scope, directory, ecosystem = manifest.ecosystem }) => {
      const isOwn = directory !== undefined || ecosystem !== manifest.ecosystem || scope === 'optional'
      return !isOwn && !names.has(normalizeName(manifest.ecosystem, name))
    })
    .map(({ name, line }) => describeMissing(manifest, lock, name, line))
}

function listNames({ parsed, ecosystem }: ReadManifest): Set<string> {
  return new Set([
    ...(parsed.entries ?? []).map(({ name }) => normalizeName(ecosystem, name)),
    ...(parsed.projects ?? []).flatMap(({ name }) => (name === undefined ? [] : normalizeName(ecosystem, name))),
  ])
}

/** npm writes the requirements into the lock file as they were; the others only what they led to. Peers are not compared. */
function checkNpm(manifest: ReadManifest, lock: ReadManifest): Suspicion[] {
  const own = readFields(manifest.text)
  const lines = findKeyLines(manifest.text, 2)
  const written = NPM_LOCKS.has(lock.format) ? asFields(asFields(readFields(lock.text).packages)['']) : undefined
  const names = listNames(lock)
  const found: Suspicion[] = []
  for (const field of listLockedFields(own, lock))
    for (const [name, range] of Object.entries(asFields(own[field]))) {
      const wanted = asText(range)
      if (wanted === undefined || /^(?:file|link|portal|workspace|catalog):/.test(wanted)) continue
      const isOptional = asFields(own.optionalDependencies)[name] !== undefined
      const isAlias = wanted.startsWith('npm:') || !/^[\w@]/.test(name)
      const line = findLine(lines, field, name)
      if (written !== undefined && Object.keys(written).length > 0) {
        const said = asText(asFields(written.dependencies)[name]) ?? asText(asFields(written.devDependencies)[name])
        const isElsewhere = asFields(written.optionalDependencies)[name] ?? asFields(written.peerDependencies)[name]
        if (said === undefined && isElsewhere === undefined && !isOptional)
          found.push(describeMissing(manifest, lock, name, line))
        else if (said !== undefined && said.trim() !== wanted.trim())
          found.push(describeOther(manifest, lock, name, wanted, said, line))
      } else if (!isOptional && !isAlias && names.size > 0 && !names.has(name))
        found.push(describeMissing(manifest, lock, name, line))
    }
  return found
}

/**
 * The fields of the manifest whose packages the lock file is to have. npm-shrinkwrap.json is published with the package for those who
 * install it, and npm leaves out of it what only its developers need, unless asked to add it. Then most of them are in it, or marked; a
 * few may be there because a dependency needs them too.
 */
function listLockedFields(own: Fields, lock: ReadManifest): readonly string[] {
  const all = ['dependencies', 'devDependencies']
  const entries = lock.parsed.entries ?? []
  if (lock.format !== 'npm-shrinkwrap' || entries.some(({ scope }) => scope === 'development')) return all
  const needed = asFields(own.dependencies)
  const ofDevelopers = Object.keys(asFields(own.devDependencies)).filter(name => needed[name] === undefined)
  const keys = new Set(entries.map(({ key }) => key.replace(/^node_modules\//, '')))
  const locked = ofDevelopers.filter(name => keys.has(name))
  return locked.length * 2 < ofDevelopers.length ? ['dependencies'] : all
}

function readFields(text: string): Fields {
  try {
    return asFields(readJson(text))
  } catch {
    return {}
  }
}

function describeMissing(
  manifest: ReadManifest,
  lock: ReadManifest,
  name: string,
  line: number | undefined,
): Suspicion {
  return {
    ...{ rule: 'lock-file-disagrees', severity: 'medium', cwe: ['CWE-1357'], file: manifest.file, line },
    title: `Lock file disagrees with the manifest: ${name} is not locked`,
    message: `What is installed is not what was reviewed: ${manifest.file} declares ${name}, and ${lock.file} does not have it.`,
    remediation: 'Renew the lock file with the package manager, and commit both.',
    subject: name,
  }
}

function describeOther(
  manifest: ReadManifest,
  lock: ReadManifest,
  name: string,
  wanted: string,
  said: string,
  line: number | undefined,
): Suspicion {
  return {
    ...describeMissing(manifest, lock, name, line),
    title: `Lock file disagrees with the manifest: ${name} ${wanted}`,
    message: `What is installed is not what was reviewed: ${manifest.file} asks for ${name} ${wanted}, and ${lock.file} was made for ${said}.`,
    subject: `${name} ${wanted} ${said}`,
  }
}

/** Packages of npm's lock files that run a script when they are installed, unless the project has decided about them. */
export function checkInstallScripts({ files }: MaliceSources): Suspicion[] {
  const decided = new Set<string>()
  for (const { format, text } of files) {
    if (format !== 'package-json') continue
    const manifest = readFields(text)
    const lists = [asFields(manifest.allowScripts), asFields(asFields(manifest.lavamoat).allowScripts)]
    for (const list of lists)
      for (const name of Object.keys(list))
        decided.add(
          name
            .split('>')
            .at(-1)!
            .replace(/(?<=.)@[^/]*$/, ''),
        )
    const named = [
      asFields(manifest.pnpm).onlyBuiltDependencies,
      asFields(manifest.pnpm).neverBuiltDependencies,
      manifest.trustedDependencies,
    ]
    for (const list of named) for (const name of asTexts(list ?? [])) decided.add(name)
  }
  return files.flatMap(({ format, file, text, parsed }) => {
    if (!NPM_LOCKS.has(format) || !text.includes('"hasInstallScript"')) return []
    const packages = asFields(readFields(text).packages)
    const seen = new Set<string>()
    return (parsed.entries ?? []).flatMap(({ key, name, version, line }): Suspicion[] => {
      if (asFields(packages[key]).hasInstallScript !== true || decided.has(name) || seen.has(name)) return []
      seen.add(name)
      return [
        {
          ...{ rule: 'install-script', severity: 'info', cwe: ['CWE-829'], file, line },
          title: `Package with an install script: ${name} ${version ?? ''}`.trim(),
          message: `Whoever publishes a version of ${name} runs a program on every machine that installs it, before any code of it is used.`,
          remediation: `Review the script. Record the decision in "allowScripts" of package.json, or install with scripts ignored.`,
          subject: `${name}@${version ?? ''}`,
        },
      ]
    })
  })
}
