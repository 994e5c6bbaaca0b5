import { compareDigits, compareLists, type VersionOrder } from './order.ts'

/** Lists of numbers in which a longer one is the greater one of two equal beginnings: R's package_version, Haskell's Data.Version. */
export const numbers: VersionOrder<string[]> = {
  parse: version => (/^\s*[0-9]+([.-][0-9]+)*\s*$/.test(version) ? version.trim().split(/[.-]/) : undefined),
  compare: (first, second) => compareLists(first, second, compareDigits, () => 1),
}
