import { compareDigits, compareLists, compareText, isDigits, type VersionOrder } from './order.ts'

interface SemVer {
  numbers: string[]
  /** Identifiers after the hyphen; none for a release. */
  prerelease: string[]
  build: string[]
}

const SHAPE = /^[vV=\s]*([0-9]+(?:\.[0-9]+)*)(?:-([0-9A-Za-z.\-_~]*))?(?:\+([0-9A-Za-z.\-_~]*))?\s*$/

/**
 * Semantic Versioning 2.0.0 as OSV uses it: a leading `v` is allowed, missing numbers are 0, more than three are compared too, numbers have
 * any size, and build metadata does not count.
 */
export const semver: VersionOrder<SemVer> = {
  parse: parseSemVer,
  compare: (first, second) => compareRelease(first, second) || comparePrerelease(first.prerelease, second.prerelease),
}

/** Dart's order (pub_semver): semantic versions in which build metadata counts, as the last thing. */
export const pub: VersionOrder<SemVer> = {
  parse: parseSemVer,
  compare: (first, second) =>
    semver.compare(first, second) || compareLists(first.build, second.build, compareIdentifiers, () => 1),
}

/** NuGet's order: semantic versions with a fourth number, and labels compared without regard to case. */
export const nuget: VersionOrder<SemVer> = {
  parse: version => parseSemVer(version.toLowerCase()),
  compare: semver.compare,
}

function parseSemVer(version: string): SemVer | undefined {
  const [, numbers, prerelease, build] = SHAPE.exec(version) ?? []
  if (numbers === undefined) return undefined
  return { numbers: numbers.split('.'), prerelease: splitIdentifiers(prerelease), build: splitIdentifiers(build) }
}

function splitIdentifiers(text: string | undefined): string[] {
  return text ? text.split('.') : []
}

function compareRelease(first: SemVer, second: SemVer): number {
  return compareLists(first.numbers, second.numbers, compareDigits, number => compareDigits(number, '0'))
}

function comparePrerelease(first: readonly string[], second: readonly string[]): number {
  if (first.length === 0 || second.length === 0) return second.length - first.length
  return compareLists(first, second, compareIdentifiers, () => 1)
}

/** Numbers come before words. */
function compareIdentifiers(first: string, second: string): number {
  const numbers = [isDigits(first), isDigits(second)]
  if (numbers[0] && numbers[1]) return compareDigits(first, second)
  if (numbers[0] !== numbers[1]) return numbers[0] ? -1 : 1
  return compareText(first, second)
}
