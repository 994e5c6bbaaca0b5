import { type Evaluation, evaluatePolicies } from './evaluate.ts'
import { parsePolicies } from './policy-file.ts'

/** A policy that a new file suggests. */
interface Suggestion {
  comment: string
  yaml: string
}

const HEAD = `# Policies of this repository. \`svc check-policies\` evaluates them, and each scan reports violations as findings (rule policies:<name>).
# docs/policies.md of the svc project describes every key. A policy has a name, one check, and may have a severity (critical, high,
# medium, low, info; default: medium), a reason that is shown with each violation, and except, a list of globs that it is not about.
# Policies below that are commented out are violated here now.
version: 1
policies:
`

const SUGGESTIONS: readonly Suggestion[] = [
  {
    comment: 'Files that must exist; each glob must match one.',
    yaml: `- name: readme
  severity: low
  reason: A reader must find out what this is, and how to run it.
  required_files: ["README*"]`,
  },
  {
    comment: 'A license, without which nobody may use the code.',
    yaml: `- name: license
  severity: low
  required_files: ["{LICENSE,LICENCE,COPYING}*"]`,
  },
  {
    comment: 'Files that must not exist.',
    yaml: `- name: no-key-files
  severity: high
  reason: Private keys and settings of one machine are no part of a repository.
  forbidden_files: ["**/.env", "**/*.pem", "**/*.p12", "**/id_rsa"]
  except: ["test/**", "tests/**", "**/testdata/**"]`,
  },
  {
    comment: 'Text that must not be in a file: a list of regular expressions. must_contain is the opposite.',
    yaml: `- name: no-merge-conflicts
  severity: high
  content:
    files: ["**/*.{js,jsx,ts,tsx,py,go,java,kt,rs,rb,php,c,h,cc,cpp,hpp,cs,yaml,yml,json}"]
    must_not_contain: ['^<{7} ', '^>{7} ']`,
  },
  {
    comment:
      'Names of files or of directories: kebab-case, snake_case, camelCase, PascalCase, lowercase, UPPER_CASE, or a pattern.',
    yaml: `- name: no-spaces-in-names
  severity: low
  naming:
    files: ["**"]
    pattern: '\\S+'`,
  },
  {
    comment: 'What each directory that matches must have: files, a test, an owner in CODEOWNERS.',
    yaml: `- name: packages-have-a-readme
  severity: low
  structure:
    folders: ["packages/*"]
    contains: ["README*"]`,
  },
  {
    comment: 'Dependencies of manifests: forbidden, required, pinned to one version.',
    yaml: `- name: no-compromised-packages
  severity: high
  reason: The package was taken over, or replaced by one that steals credentials.
  dependencies:
    forbidden: [event-stream, flatmap-stream, "ua-parser-js-*"]`,
  },
  {
    comment:
      'An expression of the Common Expression Language (CEL) over files, dependencies, findings, metrics and git.',
    yaml: `- name: small-files
  severity: info
  cel:
    for: file
    files: ["src/**"]
    check: file.size < 1000000 || file.in_test
    message: '"The file has " + string(file.size) + " bytes."'`,
  },
]

/**
 * A first file of policies, with comments: suggestions that the repository obeys, and the others commented out, so that the first check
 * passes. The path is that of the file, which is in the repository then.
 */
export async function makePolicyTemplate(
  path: string,
  evaluation: Omit<Evaluation, 'path'>,
): Promise<{ text: string; active: number }> {
  const blocks: string[] = []
  let active = 0
  for (const { comment, yaml } of SUGGESTIONS) {
    const policies = await parsePolicies(Buffer.from(`policies:\n${yaml}\n`), path)
    const { violations, gaps } = await evaluatePolicies(policies, { ...evaluation, path })
    const isObeyed = violations.length + gaps.length === 0
    if (isObeyed) active++
    const shown = isObeyed ? yaml : yaml.replace(/^/gm, '# ')
    blocks.push(`# ${comment}\n${shown}`.replace(/^(?=.)/gm, '  '))
  }
  const none = active === 0 ? `${HEAD.trimEnd()} []\n` : HEAD
  return { text: `${none}${blocks.join('\n\n')}\n`, active }
}
