import type { Finding } from '../base/records/finding.ts'

/** Weaknesses that hand over the machine, the data or the account at once. */
const TAKES_OVER = [
  ...[74, 77, 78, 88, 89, 90, 91, 94, 95, 96, 98, 470, 502, 564, 643, 913, 917, 943, 1321, 1336],
  ...[256, 257, 259, 260, 312, 321, 522, 523, 540, 798, 1392],
]

/** Weaknesses that break a protection or corrupt memory: an attacker needs one step more. */
const BREAKS = [
  ...[22, 23, 35, 36, 59, 73, 79, 80, 113, 116, 119, 120, 121, 122, 124, 125, 131, 134, 190, 191, 193, 242, 362, 367],
  ...[
    200, 209, 250, 266, 269, 276, 284, 285, 287, 290, 294, 295, 297, 306, 307, 311, 319, 322, 323, 325, 326, 327, 328,
  ],
  ...[
    329, 330, 335, 338, 345, 346, 347, 352, 377, 378, 384, 400, 401, 415, 416, 425, 434, 436, 441, 444, 451, 472, 476,
  ],
  ...[
    494, 506, 521, 532, 539, 552, 565, 601, 611, 613, 614, 620, 639, 640, 668, 676, 732, 757, 759, 760, 770, 776, 780,
  ],
  ...[787, 824, 829, 862, 863, 915, 916, 918, 942, 1004, 1023, 1188, 1275, 1333, 1395],
]

const RISK = new Map<number, number>([
  ...BREAKS.map(id => [id, 0.9] as const),
  ...TAKES_OVER.map(id => [id, 1] as const),
])

/** Where no known weakness is named, what the finding is about decides. */
const BY_CATEGORY: Record<Finding['category'], number> = {
  secret: 1,
  dependency: 0.8,
  policy: 0.4,
  code: 0.3,
  architecture: 0.3,
  drift: 0.3,
  license: 0.2,
  documentation: 0.1,
}

/** A weakness that is named but in neither list. */
const OTHER_WEAKNESS = 0.6

/** How dangerous the finding's class is, 0 to 1: the worst of the weaknesses (CWE) that its rule names and of its category. */
export function ratePattern({ cwe, category }: Pick<Finding, 'cwe' | 'category'>): number {
  const named = cwe.map(text => RISK.get(Number(/\d+/.exec(text)?.[0])) ?? OTHER_WEAKNESS)
  return Math.max(BY_CATEGORY[category], ...named)
}

/** Folders whose files are read, tried out or measured, not run in production. */
const ASIDE =
  /(?:^|\/)(?:docs?|documentation|examples?|samples?|demos?|tutorials?|fixtures?|testdata|benchmarks?|bench|playground|sandbox)\//i
const PROSE = new Set(['markdown', 'text', 'rst', 'asciidoc'])

/** Who may do what, and what is worth stealing. */
const GUARDED = new Set(
  'auth authn authz oauth oauth2 authentication authorization login signin signup sso saml jwt session password credential secret vault crypto cipher encryption payment billing checkout invoice admin security permission acl rbac iam'.split(
    ' ',
  ),
)
/** What strangers reach. */
const EXPOSED = new Set(
  'api route router controller handler endpoint view webhook upload middleware servlet resolver'.split(' '),
)
/** What decides how it runs. */
const DEPLOYS =
  /(?:^|\/)(?:Dockerfile[^/]*|\.github\/workflows\/.*|\.gitlab-ci\.yml|Jenkinsfile|.*\.tf|(?:k8s|helm|terraform)\/.*)$/

/** How much depends on the file, 0 to 1, by its path. */
export function rateFile({ file, in_test, language }: Pick<Finding, 'file' | 'in_test' | 'language'>): number {
  if (in_test) return 0.2
  if (ASIDE.test(file) || PROSE.has(language)) return 0.1
  const words = wordsOf(file)
  if (words.some(word => GUARDED.has(word))) return 1
  return words.some(word => EXPOSED.has(word)) || DEPLOYS.test(file) ? 0.9 : 0.65
}

/** The words of a path, however they are joined (`passwordReset`, `password-reset`), in lower case and the singular. */
function wordsOf(path: string): string[] {
  return path
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .flatMap(word => [word, word.replace(/s$/, '')])
}
