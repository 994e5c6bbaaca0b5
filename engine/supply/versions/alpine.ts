import { compareDigits, compareLists, compareText, type VersionOrder } from './order.ts'

interface AlpineVersion {
  numbers: string[]
  letter: string
  suffixes: { rank: number; number: string }[]
  revision: string
  /** Something follows that apk does not allow. */
  invalid: boolean
}

/** Suffixes before and after a version without one, in apk's order. */
const SUFFIXES = ['alpha', 'beta', 'pre', 'rc', '', 'cvs', 'svn', 'git', 'hg', 'p']
const NONE = SUFFIXES.indexOf('')

const NUMBERS = /^([0-9]+(?:\.[0-9]+)*)([a-z]?)/
const SUFFIX = /_(alpha|beta|pre|rc|cvs|svn|git|hg|p)([0-9]*)/y
const HASH = /~[0-9a-f]+/y
const REVISION = /-r([0-9]+)$/

/** Alpine's order, which Wolfi and Chainguard share: apk-package(5). What follows a valid beginning makes a version the lesser one of two equal ones. */
export const alpine: VersionOrder<AlpineVersion> = {
  parse(version) {
    const text = version.trim()
    const start = NUMBERS.exec(text)
    if (!start) return undefined
    const suffixes: AlpineVersion['suffixes'] = []
    let at = start[0].length
    for (;;) {
      SUFFIX.lastIndex = at
      const match = SUFFIX.exec(text)
      if (!match) break
      suffixes.push({ rank: SUFFIXES.indexOf(match[1]!), number: match[2] || '0' })
      at = SUFFIX.lastIndex
    }
    HASH.lastIndex = at
    if (HASH.test(text)) at = HASH.lastIndex
    const revision = REVISION.exec(text)
    return {
      numbers: start[1]!.split('.'),
      letter: start[2]!,
      suffixes,
      revision: revision?.[1] ?? '0',
      invalid: at < (revision?.index ?? text.length),
    }
  },
  compare: (first, second) =>
    compareDigits(first.numbers[0]!, second.numbers[0]!) ||
    compareLists(first.numbers.slice(1), second.numbers.slice(1), compareNumbers, () => 1) ||
    compareText(first.letter, second.letter) ||
    compareLists(first.suffixes, second.suffixes, compareSuffixes, ({ rank }) => rank - NONE) ||
    compareDigits(first.revision, second.revision) ||
    Number(second.invalid) - Number(first.invalid),
}

/** After the first number, one with a leading zero is compared as a fraction. */
function compareNumbers(first: string, second: string): number {
  return first.startsWith('0') || second.startsWith('0') ? compareText(first, second) : compareDigits(first, second)
}

function compareSuffixes(first: AlpineVersion['suffixes'][0], second: AlpineVersion['suffixes'][0]): number {
  return first.rank - second.rank || compareDigits(first.number, second.number)
}
