import { compareDigits, compareLists, compareText, isDigits, type VersionOrder } from './order.ts'

/** A number that may be missing: -1 is before every number, 1 after every number. */
type Part = string | -1 | 1

interface PythonVersion {
  /** Empty for a version that PEP 440 does not allow: all of them are before the allowed ones. */
  release: string[]
  epoch: string
  pre: { letter: string; number: string } | -1 | 1
  post: Part
  dev: Part
  local: string[]
  legacy: string[]
}

const SHAPE =
  /^\s*v?(?:([0-9]+)!)?([0-9]+(?:\.[0-9]+)*)(?:[-_.]?(alpha|a|beta|b|preview|pre|c|rc)[-_.]?([0-9]*))?(?:-([0-9]+)|[-_.]?(post|rev|r)[-_.]?([0-9]*))?(?:[-_.]?(dev)[-_.]?([0-9]*))?(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?\s*$/
const LETTERS: Record<string, string> = { alpha: 'a', beta: 'b', c: 'rc', pre: 'rc', preview: 'rc' }
const LEGACY_NAMES: Record<string, string> = { pre: 'c', preview: 'c', '-': 'final-', rc: 'c', dev: '@' }

/** Python's order: PEP 440, and the order of old setuptools for what PEP 440 refuses. */
export const pypi: VersionOrder<PythonVersion> = {
  parse: version => parsePythonVersion(version.toLowerCase()),
  compare(first, second) {
    if (first.release.length === 0 || second.release.length === 0)
      return (
        Math.sign(first.release.length) - Math.sign(second.release.length) ||
        compareLists(first.legacy, second.legacy, compareText, () => 1)
      )
    return (
      compareDigits(first.epoch, second.epoch) ||
      compareLists(first.release, second.release, compareDigits, number => compareDigits(number, '0')) ||
      comparePre(first.pre, second.pre) ||
      compareParts(first.post, second.post) ||
      compareParts(first.dev, second.dev) ||
      compareLists(first.local, second.local, compareLocal, () => 1)
    )
  },
}

function parsePythonVersion(version: string): PythonVersion | undefined {
  const match = SHAPE.exec(version)
  if (!match) return parseLegacy(version)
  const [, epoch = '0', release, letter, preNumber, dashPost, postWord, postNumber, devWord, devNumber, local] = match
  const hasPost = dashPost !== undefined || postWord !== undefined
  const onlyDev = letter === undefined && !hasPost && devWord !== undefined
  return {
    epoch,
    release: release!.split('.'),
    pre: letter === undefined ? (onlyDev ? -1 : 1) : { letter: LETTERS[letter] ?? letter, number: preNumber || '0' },
    post: hasPost ? dashPost || postNumber || '0' : -1,
    dev: devWord === undefined ? 1 : devNumber || '0',
    local: local === undefined ? [] : local.split(/[-_.]/),
    legacy: [],
  }
}

/** What setuptools made of a version before PEP 440: parts that are compared as strings. */
function parseLegacy(version: string): PythonVersion | undefined {
  const legacy: string[] = []
  for (const word of version.match(/[0-9]+|[a-z]+|-|[^0-9a-z.\-\s]+/g) ?? []) {
    const part = LEGACY_NAMES[word] ?? word
    if (isDigits(part)) {
      legacy.push(part.padStart(8, '0'))
      continue
    }
    const marked = `*${part}`
    if (marked < '*final') while (legacy.at(-1) === '*final-') legacy.pop()
    while (legacy.at(-1) === '00000000') legacy.pop()
    legacy.push(marked)
  }
  if (legacy.length === 0) return undefined
  return { epoch: '', release: [], pre: 1, post: -1, dev: 1, local: [], legacy: [...legacy, '*final'] }
}

function comparePre(first: PythonVersion['pre'], second: PythonVersion['pre']): number {
  if (typeof first === 'object' && typeof second === 'object')
    return compareText(first.letter, second.letter) || compareDigits(first.number, second.number)
  return (typeof first === 'object' ? 0 : first) - (typeof second === 'object' ? 0 : second)
}

function compareParts(first: Part, second: Part): number {
  if (typeof first === 'string' && typeof second === 'string') return compareDigits(first, second)
  return (typeof first === 'string' ? 0 : first) - (typeof second === 'string' ? 0 : second)
}

/** In a local version numbers come after words. */
function compareLocal(first: string, second: string): number {
  const numbers = [isDigits(first), isDigits(second)]
  if (numbers[0] && numbers[1]) return compareDigits(first, second)
  if (numbers[0] !== numbers[1]) return numbers[0] ? 1 : -1
  return compareText(first, second)
}
