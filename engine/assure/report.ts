import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolders } from '../base/disk/make-folders.ts'
import { keepMode } from '../base/disk/output-file.ts'
import { EngineError } from '../base/errors.ts'
import { complete, type Piece, type ReportModel, toText } from './model.ts'
import { renderCsv } from './reports/csv.ts'
import { renderGitlab } from './reports/gitlab.ts'
import { renderHtml } from './reports/html.ts'
import { renderJson } from './reports/json.ts'
import { renderJunit } from './reports/junit.ts'
import { renderMarkdown } from './reports/markdown.ts'
import { renderSarif } from './reports/sarif.ts'

export type { ReportFramework, ReportModel, ReportRule } from './model.ts'

/** Formats of a report. */
export const FORMATS = ['html', 'sarif', 'junit', 'csv', 'markdown', 'gitlab', 'json'] as const
export type ReportFormat = (typeof FORMATS)[number]

/** What a format is called on disk and on the wire. */
export const FORMAT_FILES: Record<ReportFormat, { extension: string; media: string }> = {
  html: { extension: 'html', media: 'text/html; charset=utf-8' },
  sarif: { extension: 'sarif', media: 'application/sarif+json' },
  junit: { extension: 'junit.xml', media: 'application/xml' },
  csv: { extension: 'csv', media: 'text/csv; charset=utf-8' },
  markdown: { extension: 'md', media: 'text/markdown; charset=utf-8' },
  gitlab: { extension: 'gitlab.json', media: 'application/json' },
  json: { extension: 'json', media: 'application/json' },
}

/** What every scan leaves in out/; findings.json is there already. */
export const SCAN_REPORTS: readonly ReportFormat[] = ['html', 'sarif', 'junit', 'csv', 'markdown', 'gitlab']

const RENDER: Record<ReportFormat, (model: ReportModel) => Iterable<Piece>> = {
  html: renderHtml,
  sarif: renderSarif,
  junit: renderJunit,
  csv: renderCsv,
  markdown: renderMarkdown,
  gitlab: renderGitlab,
  json: renderJson,
}

/**
 * The report in pieces of at most a few kilobytes: 200,000 findings never make one string. The same model gives the same
 * text on every machine; the only times in it are the run's.
 */
export function* renderReport(format: ReportFormat, model: ReportModel): Iterable<string> {
  for (const piece of RENDER[format](complete(model))) yield toText(piece)
}

/** Writes `<outDir>/report.<extension>` for each format, and answers the paths. Throws what the disk throws; no half file is left. */
export function writeReports(
  outDir: string,
  model: ReportModel,
  formats: readonly ReportFormat[] = SCAN_REPORTS,
): string[] {
  const full = complete(model)
  return formats.map(format => {
    const path = join(outDir, `report.${FORMAT_FILES[format].extension}`)
    writePieces(path, RENDER[format](full))
    return path
  })
}

/** The report as one string, for an answer that carries it; CONFLICT where it is larger than a string can be. */
export function joinPieces(pieces: Iterable<string>): string {
  const kept: string[] = []
  let length = 0
  for (const piece of pieces) {
    length += piece.length
    if (length > MAX_STRING) {
      throw new EngineError('CONFLICT', 'The report is too large for one answer.', {
        hint: 'Write it to a file: `svc report --format <format> -o <file>`.',
      })
    }
    kept.push(piece)
  }
  return kept.join('')
}

/** Writes a text in pieces under a temporary name, then renames it; answers the bytes written. */
export function writePieces(path: string, pieces: Iterable<Piece>): number {
  makeFolders(dirname(path))
  const temporary = `${path}.${process.pid}.tmp`
  try {
    const bytes = writeTo(openSync(temporary, 'w'), pieces)
    keepMode(path, temporary)
    renameSync(temporary, path)
    return bytes
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

const BUFFER = 256 * 1024

/** Half of the longest string there is: the answer is copied at least once more. */
const MAX_STRING = 256 * 1024 * 1024

function writeTo(file: number, pieces: Iterable<Piece>): number {
  let bytes = 0
  try {
    let buffer = ''
    const flush = () => {
      bytes += writeAll(file, Buffer.from(buffer))
      buffer = ''
    }
    for (const piece of pieces) {
      if (typeof piece === 'string') buffer += piece
      else {
        flush()
        bytes += writeAll(file, piece)
      }
      if (buffer.length >= BUFFER) flush()
    }
    flush()
    return bytes
  } finally {
    closeSync(file)
  }
}

function writeAll(file: number, bytes: Uint8Array): number {
  let written = 0
  while (written < bytes.length) written += writeSync(file, bytes, written)
  return bytes.length
}
