import { createHash } from 'node:crypto'
import { escapeHtml } from '../../base/text/visible.ts'
import { readPageAsset } from '../reports/html/assets.ts'

/** Colors and type are those of every page; the last file is that of documents. */
const STYLES = ['tokens.css', 'elements.css', 'document.css']

let style: { text: string; digest: string } | undefined

/** One part of a page, as HTML. */
export type Html = string

/**
 * A self-contained HTML document without scripts: its content security policy allows its own style sheet and nothing else, so it
 * loads nothing and runs nothing, whatever the names in it say. `title` is plain text, `body` is HTML.
 */
export function* renderPage(title: string, version: string, body: Iterable<Html>): Iterable<string> {
  style ??= loadStyle()
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${style.digest}'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="svc ${escapeHtml(version)}">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${style.text}</style>
</head>
<body>
`
  yield* body
  yield '</body>\n</html>\n'
}

function loadStyle(): { text: string; digest: string } {
  const text = STYLES.map(readPageAsset).join('')
  return { text, digest: `sha256-${createHash('sha256').update(text).digest('base64')}` }
}
