import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { formatCount } from '../../../base/text/words.ts'
import { IMPORT_KINDS, type ImportGraph, listEdges } from '../graph.ts'
import type { Violation } from '../violation.ts'
import { listUsed } from './fold.ts'

/** The page's files stand beside this one in the sources and in dist/imports-page/ when built. */
const FOLDER = new URL(import.meta.url.endsWith('.ts') ? './page/' : './imports-page/', import.meta.url)

/**
 * The graph as one HTML file: a table that folds by directory, the imports of what is chosen, and the violations. It makes no request: its policy allows
 * the one script and the one style in it, by their digests, and nothing else.
 */
export function renderPage(graph: ImportGraph, violations: readonly Violation[]): string {
  const [script, style] = ['page.js', 'page.css'].map(name => readFileSync(new URL(name, FOLDER), 'utf8')) as [
    string,
    string,
  ]
  const policy = `default-src 'none'; script-src '${digest(script)}'; style-src '${digest(style)}'; base-uri 'none'; form-action 'none'`
  const used = listUsed(graph)
  const numbers = new Map(used.map((file, index) => [file, index]))
  const edges: number[] = []
  for (const { from, to, kind, line } of listEdges(graph))
    if (to !== undefined) edges.push(numbers.get(from)!, numbers.get(to)!, IMPORT_KINDS.indexOf(kind), line)
  const data = {
    paths: used.map(file => graph.paths[file]!),
    kinds: IMPORT_KINDS,
    edges,
    violations: violations.map(({ file, target }) => ({ file, target })),
  }
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Import graph</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Import graph</h1>
<p>${formatCount(used.length, 'file')}, ${formatCount(edges.length / 4, 'import')} between them, ${formatCount(violations.length, 'violation')}, ${formatCount(graph.unresolved.length, 'import')} unresolved.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Directories and files"><table id="table"></table></div>
<section id="details" aria-live="polite"></section>
${formatList('Violations', violations.map(formatViolation))}
${formatList(
  'Unresolved imports',
  graph.unresolved.map(
    ({ file, line, specifier, reason }) =>
      `<code>${escapeHtml(graph.paths[file]!)}:${line}</code> ${escapeHtml(specifier)}: ${escapeHtml(reason)}`,
  ),
)}
</main>
<script type="application/json" id="graph">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>
<script>${script}</script>
</body>
</html>
`
}

function formatViolation({ file, line, rule, message, reason }: Violation): string {
  const why = reason === '' ? '' : ` <span class="reason">${escapeHtml(reason)}</span>`
  return `<code>${escapeHtml(file)}:${line}</code> ${escapeHtml(rule)}: ${escapeHtml(message)}${why}`
}

function formatList(title: string, items: readonly string[]): string {
  if (items.length === 0) return ''
  return `<h2>${title}: ${items.length}</h2>\n<ul>${items.map(item => `<li>${item}</li>`).join('\n')}</ul>`
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`).replace(/[\p{Cc}\p{Cf}]/gu, '\ufffd')
}
