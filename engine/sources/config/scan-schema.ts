import { type } from 'arktype'

/** Limits of a scan. */
export const scan = type({
  max_file_bytes: type('1 <= number.integer <= 268435456')
    .describe(
      'a number of bytes from 1 to 268435456; larger files are scanned for secrets only and listed as not evaluated',
    )
    .default(5_242_880),
  rule_deadline_ms: type('1 <= number.integer <= 600000')
    .describe(
      'a number of milliseconds from 1 to 600000: the time limit of one rule on one file; a rule that times out is retried once after the others, and listed as not evaluated if it times out again',
    )
    .default(10_000),
  file_deadline_ms: type('1 <= number.integer <= 3600000')
    .describe(
      'a number of milliseconds from 1 to 3600000: the time limit of all rules on one file; a file that times out is listed as not evaluated',
    )
    .default(100_000),
  'jobs?': type('1 <= number.integer <= 256').describe('a number of threads from 1 to 256; default: one per processor'),
  '+': 'reject',
})

const ANALYSIS_SOURCES = ['parameters', 'arguments', 'environment', 'stdin', 'files'] as const
/** A kind of input that rules about data flow follow where they are asked to. */
export type AnalysisSource = (typeof ANALYSIS_SOURCES)[number]

/** What the analysis of data flow follows. */
export const analysis = type({
  sources: type
    .enumerated(...ANALYSIS_SOURCES)
    .array()
    .describe(
      'a list of parameters (of functions that other files can call: for libraries), arguments (of the program), environment, stdin and files (what is read from them): rules about data flow treat them as untrusted, too, with a confidence of 0.5',
    )
    .default(() => []),
  '+': 'reject',
})
