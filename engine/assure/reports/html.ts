import { escapeHtml } from '../../base/text/visible.ts'
import { formatCount, groupDigits } from '../../base/text/words.ts'
import type { ReportModel } from '../model.ts'
import { loadAssets } from './html/assets.ts'
import { renderData, selectEmbedded } from './html/embed.ts'
import { renderFrameworks } from './html/frameworks.ts'
import { list } from './html/list.ts'
import { renderOverview } from './html/overview.ts'
import { renderAbout, renderUnchecked } from './html/sections.ts'

/**
 * One self-contained HTML page that loads nothing: summary and lists of what was not checked are plain markup, findings
 * are data that the page's script filters, groups and renders as one scrolls. At most 5,000 findings are carried, the
 * worst ones; the page says how many more there are and where.
 */
export function* renderHtml(model: ReportModel): Iterable<string> {
  const { run } = model
  const { style, theme, script, policy } = loadAssets()
  const shown = selectEmbedded(model.findings)
  const name = escapeHtml(run.root_name)
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="svc ${escapeHtml(run.tool_version)}">
<title>${name}: ${formatCount(run.counts.open, 'open finding')}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
<script>${theme}</script>
</head>
<body>
<a class="skip" href="#findings">Skip to the findings</a>
`
  yield renderOverview(model)
  yield '<main>\n'
  yield list(shown, leftOut(model.findings.length, shown.length))
  yield* renderFrameworks(run)
  yield* renderUnchecked(run)
  yield renderAbout(model)
  yield '</main>\n<script type="application/json" id="data">'
  yield* renderData(model, shown)
  yield `</script>\n<script type="module">${script}</script>\n</body>\n</html>\n`
}

function leftOut(total: number, shown: number): string {
  if (total === shown) return ''
  return `This page contains the ${groupDigits(shown)} most severe of ${groupDigits(total)} findings. The other ${groupDigits(total - shown)} are in <code>findings.json</code> and <code>report.sarif</code> in the same directory.`
}
