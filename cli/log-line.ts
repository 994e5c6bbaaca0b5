import { EngineError } from '../engine/base/errors.ts'

/** What a line of the log is about. */
export interface LogRecord {
  level: 'info' | 'warn' | 'error'
  message: string
  /** Further fields; none of them is called time, level, command or message. */
  fields?: Readonly<Record<string, unknown>>
}

export const LOG_FORMATS = ['text', 'json'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

/** The format of what goes to standard error: `--log-format`, else SVC_LOG_FORMAT, else text. USAGE for any other. */
export function chooseLogFormat(
  option: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): LogFormat {
  const named = option ?? (env.SVC_LOG_FORMAT?.trim() || 'text')
  const format = LOG_FORMATS.find(each => each === named)
  if (format) return format
  throw new EngineError('USAGE', `The format of the log must be text or json, but was ${JSON.stringify(named)}.`, {
    hint: option === undefined ? 'Correct SVC_LOG_FORMAT.' : 'Pass --log-format json or --log-format text.',
  })
}

/** A record as one line of JSON. */
export function formatLogLine({ level, message, fields }: LogRecord, command: string, now = new Date()): string {
  const line = JSON.stringify({ time: now.toISOString(), level, command, message, ...fields })
  // Whoever reads the log at a terminal is not to be driven by what was scanned; JSON itself escapes the others.
  return `${line.replace(/[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`
}
