import { DEFAULT_OUTPUT } from '../repository/own-output.ts'

/** The purpose of a new configuration. */
export const MODES = ['developer', 'compliance', 'ci'] as const
export type Mode = (typeof MODES)[number]

const HEAD = `# Configuration of svc for this repository. Every key, with its values and default:
# docs/reference/configuration.md in the svc project. \`svc validate-config\` checks this file.
`

const GATE: Record<Mode, string> = {
  developer: `
# The gate fails on open, new findings of these severities.
gate:
  fail_on: [critical, high]
`,
  compliance: `
# The profile sets the gate (critical, high, medium) and requires human review. Keys of this file take precedence over it.
governance:
  profile: strict
`,
  ci: `
# The gate fails on open, new findings of these severities; then \`svc gate\` exits with 1.
gate:
  fail_on: [critical, high]
`,
}

const PACKS: Record<Mode, string> = {
  developer: `
# Packs are selected by the detected languages. Turn on more, or turn some off, by ID.
# packs:
#   enable: []
#   disable: []
`,
  compliance: `
# Name the packs of the standards that you are assessed against, so that they do not depend on detection.
packs:
  detect: true
  enable: []
  # disable: []
`,
  ci: `
# Packs are selected by the detected languages. With \`detect: false\` only the packs named here are used.
# packs:
#   detect: true
#   enable: []
`,
}

const SCAN: Record<Mode, string> = {
  developer: `
# Number of threads (default: one per processor).
# scan:
#   jobs: 2
`,
  compliance: `
# Number of runs to keep in the history of the output directory, as evidence over time.
history:
  keep: 1000
`,
  ci: `
# Number of threads (default: one per processor). SVC_JOBS and --jobs take precedence.
# scan:
#   jobs: 2

# Number of runs to keep in the history of the output directory. In CI only the latest ones matter.
history:
  keep: 20
`,
}

const EXCLUDE = `
# Files, directories and globs to exclude, relative to the repository root. Files that git ignores are excluded already.
scan_exclude: []
`

const OUTPUT = `
# Directory for runs and reports. Name another one if the project uses out/; SVC_OUTPUT_DIR and --output-dir take precedence.
`

/**
 * The text of a first configuration file, with the output directory where it is not the default. It is valid, and says in comments what
 * can be changed.
 */
export function makeTemplate(mode: Mode, out: string = DEFAULT_OUTPUT): string {
  const output = out === DEFAULT_OUTPUT ? `# output_dir: ${out}\n` : `output_dir: ${JSON.stringify(out)}\n`
  return [HEAD, GATE[mode], PACKS[mode], EXCLUDE, SCAN[mode], OUTPUT, output].join('')
}
