import type { View } from '../../../base/text/view.ts'
import { escapeInvisibleLine } from '../../../base/text/visible.ts'
import { formatCount } from '../../../base/text/words.ts'
import type { OwnFiles } from './report.ts'

const SHOWN = 10

/** License tags of the repository's own files, for a terminal. */
export function formatOwnFiles(own: OwnFiles, { paint }: View): string {
  const licenses = Object.entries(own.by_license).sort(([, a], [, b]) => b - a)
  return [
    '',
    paint('bold', "The repository's own files"),
    ...own.license_files.map(
      ({ file, license }) => `${escapeInvisibleLine(file)}: ${license ?? paint('yellow', 'not on the list of SPDX')}`,
    ),
    ...own.declared.map(({ file, license }) => `${escapeInvisibleLine(file)} declares ${escapeInvisibleLine(license)}`),
    ...licenses
      .slice(0, SHOWN)
      .map(([license, count]) => `${escapeInvisibleLine(license)}: ${formatCount(count, 'file')}`),
    ...own.invalid
      .slice(0, SHOWN)
      .map(({ file, line, tag }) =>
        paint('yellow', `${escapeInvisibleLine(file)}:${line}: no SPDX expression: ${escapeInvisibleLine(tag)}`),
      ),
    ...(own.missing_texts.length > 0
      ? [paint('yellow', `LICENSES/ has no text of ${own.missing_texts.join(', ')}.`)]
      : []),
    ...(own.unused_texts.length > 0
      ? [paint('yellow', `No file names ${own.unused_texts.join(', ')} of LICENSES/.`)]
      : []),
    ...(own.untagged.count > 0
      ? [
          `${formatCount(own.untagged.count, 'file')} without a license tag: ${own.untagged.examples.slice(0, 3).map(escapeInvisibleLine).join(', ')}${own.untagged.count > 3 ? ', …' : ''}`,
        ]
      : []),
    own.reuse
      ? paint('green', `REUSE: all ${formatCount(own.files, 'file')} have a license.`)
      : `REUSE: ${own.tagged + own.annotated} of ${formatCount(own.files, 'file')} have a license.`,
  ].join('\n')
}
