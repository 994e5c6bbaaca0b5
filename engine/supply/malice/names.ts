import { directoryOf } from '../inventory/paths.ts'
import { readJson } from '../inventory/syntax/json.ts'
import { splitLines } from '../inventory/syntax/lines.ts'
import { asFields } from '../inventory/syntax/shape.ts'
import { findImitated } from './popular.ts'
import { ARCHIVE_LOCKS, listDownloads, type MaliceSources, type Suspicion } from './sources.ts'

/** Declared dependencies whose name is one character from that of a popular package. */
export function checkNames({ files }: MaliceSources): Suspicion[] {
  return files.flatMap(({ kind, file, ecosystem, parsed }) => {
    if (kind !== 'manifest') return []
    return (parsed.projects ?? []).flatMap(({ declares = [] }) =>
      declares.flatMap((declared): Suspicion[] => {
        const { name, line, vcs, resolved, directory, ecosystem: own = ecosystem } = declared
        if (vcs !== undefined || resolved !== undefined || directory !== undefined) return []
        const popular = findImitated(own, name)
        if (popular === undefined) return []
        return [
          {
            ...{ rule: 'typosquatting', severity: 'medium', cwe: ['CWE-1357'], file, line, confidence: 0.6 },
            title: `Typosquatting: ${name} is one character from ${popular}`,
            message: `An attacker can publish a package under a name that is mistyped easily, and run code where it is installed: ${name} differs in one character from ${popular}, which is downloaded far more.`,
            remediation: `Check that ${name} is meant, and not ${popular}. If it is, suppress the finding with the reason.`,
            subject: `${name} ${popular}`,
          },
        ]
      }),
    )
  })
}

/** Packages of this repository that are private, and that a lock file takes from a registry all the same. */
export function checkPrivateNames({ files }: MaliceSources): Suspicion[] {
  const own = new Set<string>()
  for (const { format, text, parsed } of files) {
    if (format !== 'package-json' || !/"private"\s*:\s*true/.test(text)) continue
    const name = parsed.projects?.[0]?.name
    if (name !== undefined && isPrivate(text)) own.add(name)
  }
  if (own.size === 0) return []
  return files.flatMap(file => {
    if (!ARCHIVE_LOCKS.has(file.format)) return []
    return listDownloads(file).flatMap(({ entry: { name, version, line }, url }): Suspicion[] =>
      own.has(name)
        ? [
            {
              ...{ rule: 'dependency-confusion', severity: 'high', cwe: ['CWE-427'], file: file.file, line },
              title: `Dependency confusion: the private package ${name} comes from a registry`,
              message: `Whoever publishes ${name} on ${url.host} runs code in this project: the repository has a private package of this name, and ${file.file} downloads it.`,
              remediation:
                'Declare it with the workspace protocol or a path, and register the name, or a scope, on the registry.',
              subject: `${name}@${version} private`,
            },
          ]
        : [],
    )
  })
}

function isPrivate(text: string): boolean {
  try {
    return asFields(readJson(text)).private === true
  } catch {
    return false
  }
}

/** Requirements files of pip that name a second index: the higher version wins, wherever it is. */
export function checkExtraIndexes({ files }: MaliceSources): Suspicion[] {
  return files.flatMap(({ format, file, text, parsed }) => {
    if (format !== 'requirements' || !text.includes('--extra-index-url')) return []
    const declares = (parsed.projects ?? []).flatMap(project => project.declares ?? [])
    // A digest names the archive, whichever index has it.
    if (declares.length > 0 && declares.every(({ hashes }) => hashes?.length)) return []
    return [...splitLines(text)].flatMap((line, i): Suspicion[] =>
      /^\s*--extra-index-url[\s=]/.test(line)
        ? [
            {
              ...{
                rule: 'dependency-confusion',
                severity: 'low',
                cwe: ['CWE-427'],
                file,
                line: i + 1,
                confidence: 0.7,
              },
              title: 'Dependency confusion: packages from a second index',
              message:
                'An attacker who publishes a higher version of a private package on the public index has it installed: pip takes the highest version of all indexes.',
              remediation: 'Use one index that serves both (--index-url), or pin every requirement with --hash.',
              subject: 'extra-index-url',
            },
          ]
        : [],
    )
  })
}

/** Ecosystems whose git dependencies are code that is built in. */
const CODE = new Set([
  'npm',
  'PyPI',
  'crates.io',
  'RubyGems',
  'Packagist',
  'Pub',
  'Hex',
  'Hackage',
  'Julia',
  'SwiftURL',
  'Go',
])

/** Git dependencies that name a branch, a tag or nothing, which no lock file pins to a commit. */
export function checkGitDependencies({ inventory }: MaliceSources): Suspicion[] {
  return inventory.components.flatMap(({ ecosystem, name, purl, locations, version }): Suspicion[] => {
    const address = /[?&]vcs_url=([^&#]+)/.exec(purl ?? '')?.[1]
    const place = locations[0]
    if (address === undefined || place === undefined || !CODE.has(ecosystem)) return []
    const plain = decodeURIComponent(address)
    if (/@[0-9a-f]{7,64}$/i.test(plain) || /^[0-9a-f]{40,64}$/i.test(version ?? '')) return []
    return [
      {
        ...{
          rule: 'git-dependency-without-commit',
          severity: 'medium',
          cwe: ['CWE-829'],
          file: place.file,
          line: place.line,
        },
        title: `Git dependency without a commit: ${name}`,
        message: `Whoever can push to ${plain.replace(/^git\+/, '')} changes what is installed without a change here: no commit is named${directoryOf(place.file) === '' ? '' : `, in ${place.file}`}.`,
        remediation: 'Name the full commit hash, or commit a lock file that has it.',
        subject: `${name} ${plain}`,
      },
    ]
  })
}
