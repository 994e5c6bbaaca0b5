import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount, groupDigits } from '../../base/text/words.ts'
import { formatGate, formatOpen, type RiskSummary } from '../controls/risk.ts'
import { describeCoverage, NO_CERTIFICATE } from './wording.ts'

const MARGIN = 48
/** Below this the page is full; what is left out is said in the last line. */
const LOWEST = 780
const TEXT = '#171b21'
const SOFT = '#4a5361'
const TONES: Record<string, string> = { A: '#217334', B: '#175fae', C: '#875500', D: '#a93503', E: '#b0123b' }

/**
 * The risk summary as a PDF of one A4 page, tagged and with its language. Dates are those of the summary, so the same summary gives the same
 * bytes. What does not fit is left out from the end, and said.
 */
export async function renderRiskPdf(summary: RiskSummary): Promise<Buffer> {
  const { default: PdfDocument } = await import('pdfkit')
  const date = new Date(summary.generated_at)
  const document = new PdfDocument({
    ...{ size: 'A4', margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: 20 }, pdfVersion: '1.7' },
    ...{ tagged: true, lang: 'en', displayTitle: true, bufferPages: true },
    info: {
      Title: toPrintable(`${summary.project}: risk summary`),
      Producer: `svc ${summary.tool_version}`,
      Creator: `svc ${summary.tool_version}`,
      CreationDate: date,
      ModDate: date,
    },
  })
  const pieces: Buffer[] = []
  document.on('data', (piece: Buffer) => pieces.push(piece))
  const done = new Promise<void>((resolve, reject) => document.on('end', resolve).on('error', reject))
  write(document, summary)
  document.end()
  await done
  return Buffer.concat(pieces)
}

interface Line {
  kind: 'kicker' | 'title' | 'heading' | 'text' | 'soft'
  text: string
  color?: string
}

function write(document: PDFKit.PDFDocument, summary: RiskSummary): void {
  const lines = listLines(summary)
  const root = document.struct('Document')
  document.addStructure(root)
  let left = 0
  for (const { kind, text, color } of lines) {
    const [size, font, gap] = STYLES[kind]
    const words = toPrintable(text)
    document.font(font).fontSize(size)
    const height = document.heightOfString(words, { width: document.page.width - 2 * MARGIN })
    if (left > 0 || document.y + gap + height > LOWEST) {
      left++
      continue
    }
    document.y += gap
    root.add(
      document.struct(kind === 'title' ? 'H1' : kind === 'heading' ? 'H2' : 'P', {}, () => {
        document.fillColor(color ?? (kind === 'text' || kind === 'title' ? TEXT : SOFT)).text(words, { lineGap: 1 })
      }),
    )
  }
  root.add(
    document.struct('P', {}, () => {
      const rest = left > 0 ? ` ${formatCount(left, 'line')} did not fit on this page: see the HTML document.` : ''
      document
        .font('Helvetica')
        .fontSize(8)
        .fillColor(SOFT)
        .text(`${NO_CERTIFICATE} Run ${summary.run_id}, svc ${summary.tool_version}.${rest}`, MARGIN, 800)
    }),
  )
  root.end()
}

/** Size, font, and the gap above. */
const STYLES: Record<Line['kind'], [size: number, font: string, gap: number]> = {
  kicker: [9, 'Helvetica', 0],
  title: [20, 'Helvetica-Bold', 2],
  heading: [12, 'Helvetica-Bold', 10],
  text: [9.5, 'Helvetica', 3],
  soft: [8.5, 'Helvetica', 1],
}

function listLines(summary: RiskSummary): Line[] {
  const { rating, by_severity, trend, risks, further_risks, frameworks, deadlines, unknown } = summary
  const line = (kind: Line['kind'], text: string, color?: string): Line => ({ kind, text, ...(color && { color }) })
  return [
    line('kicker', `Risk summary, ${summary.date}`),
    line('title', summary.project),
    line('heading', `Rating ${rating ?? 'unknown'}: ${summary.rating_meaning}`, TONES[(rating ?? '?')[0]!]),
    line(
      'text',
      `${formatOpen(summary)}: ${groupDigits(by_severity.critical)} critical, ${groupDigits(by_severity.high)} high, ${groupDigits(by_severity.medium)} medium, ${groupDigits(by_severity.low)} low. Quality gate: ${formatGate(summary)}.`,
    ),
    line('text', `Trend: ${trend.summary}`),
    line('heading', 'What is not known'),
    ...unknown.map(text => line('text', `• ${text}`)),
    line('heading', 'Top risks'),
    ...(risks.length === 0 ? [line('text', 'No open finding.')] : []),
    ...risks.flatMap(({ title, message, severity, findings, files, controls }, at) => [
      line(
        'text',
        `${at + 1}. ${title} (${severity}, ${formatCount(findings, 'finding')} in ${formatCount(files, 'file')})`,
      ),
      line('soft', message),
      ...(controls.length > 0 ? [line('soft', `Violates ${controls.join('; ')}`)] : []),
    ]),
    ...(further_risks > 0
      ? [line('soft', `and ${formatCount(further_risks, 'further weakness', 'further weaknesses')}`)]
      : []),
    ...(frameworks.length > 0 ? [line('heading', 'Compliance')] : []),
    ...frameworks.map(framework => line('text', `${framework.name}: ${describeCoverage(framework)}.`)),
    line('heading', 'Deadlines'),
    ...(deadlines.length === 0 ? [line('text', 'No coming deadline of the enabled frameworks is known.')] : []),
    ...deadlines.map(({ date, days, framework, title }) =>
      line('text', `${date} (in ${formatCount(days, 'day')}): ${framework}: ${title}`),
    ),
  ]
}

/** What the standard fonts of PDF can show (WinAnsi), on one line; other characters become a question mark. */
function toPrintable(text: string): string {
  return escapeInvisibleLine(text).replace(/[^\x20-\x7E\xA1-\xFF•–—‘’“”…€]/gu, '?')
}
