import { DEFAULT_OUTPUT } from '../repository/own-output.ts'

/** What a configuration is begun for. */
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
# The profile sets the gate (critical, high, medium) and asks for human review. A key that is written out beats it.
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
# Standards packs are chosen by the languages found. Switch on more, or switch some off, by their ids.
# packs:
#   enable: []
#   disable: []
`,
  compliance: `
# Name the standards packs that you are assessed against, so that what is checked does not depend on what is found.
packs:
  detect: true
  enable: []
  # disable: []
`,
  ci: `
# Standards packs are chosen by the languages found. With \`detect: false\` only those named here are used.
# packs:
#   detect: true
#   enable: []
`,
}

const SCAN: Record<Mode, string> = {
  developer: `
# Threads; unset, one for each processor.
# scan:
#   jobs: 2
`,
  compliance: `
# Runs that stay in the history of the output directory, as evidence over time.
history:
  keep: 1000
`,
  ci: `
# Threads; unset, one for each processor. SVC_JOBS and --jobs beat it.
# scan:
#   jobs: 2

# Runs that stay in the history of the output directory. On a build machine only the latest ones matter.
history:
  keep: 20
`,
}

const EXCLUDE = `
# Files, folders and globs that are not scanned, from the repository's root. What git ignores is left out already.
scan_exclude: []
`

const OUTPUT = `
# Where runs and reports go. Name another directory where out/ is the project's own; SVC_OUTPUT_DIR and --output-dir beat it.
`

/**
 * The text of a first configuration file, with the output directory where it is not the default. It is valid, and says in comments what
 * can be changed.
 */
export function makeTemplate(mode: Mode, out: string = DEFAULT_OUTPUT): string {
  const output = out === DEFAULT_OUTPUT ? `# output_dir: ${out}\n` : `output_dir: ${JSON.stringify(out)}\n`
  return [HEAD, GATE[mode], PACKS[mode], EXCLUDE, SCAN[mode], OUTPUT, output].join('')
}
