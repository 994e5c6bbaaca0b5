import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ManifestRow } from '../engine/door/operation.ts'
import { deriveRoute } from './openapi.ts'

/** Where the pages' files are, in folders that nobody but the build fills. */
export interface PageFolders {
  dashboard: URL
  /** The report's page, of which the dashboard has its looks. */
  report: URL
  reference: URL
  auditor: URL
}

/** Styles of the report that other pages have too. */
const SHARED = ['tokens.css', 'elements.css']

/** Only this server's own files and answers: nothing inline, nothing from elsewhere. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/** Of the dashboard's scripts none writes markup: the browser refuses it where one would. */
const DASHBOARD_POLICY = `${PAGE_POLICY}; require-trusted-types-for 'script'; trusted-types 'none'`
/** Swagger UI and ReDoc write style elements; their scripts still come from here only. */
const REFERENCE_POLICY = PAGE_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'").replace(
  "img-src 'self' data:",
  "img-src 'self' data: blob:",
)

/**
 * Serves the dashboard at / and /dashboard, the auditors' portal at /auditor, and the reference at /docs and /redoc, each with its files beside it. The
 * files are listed once, here, so no address can reach another one. `add` registers a route that needs no key.
 */
export function addPageRoutes(folders: PageFolders, add: (path: string, handler: PageHandler) => void): void {
  const pages: [folder: URL, path: string, name: string, policy: string][] = [
    [folders.dashboard, '/', 'index.html', DASHBOARD_POLICY],
    [folders.dashboard, '/dashboard', 'index.html', DASHBOARD_POLICY],
    [folders.auditor, '/auditor', 'index.html', PAGE_POLICY],
    [folders.reference, '/docs', 'swagger.html', REFERENCE_POLICY],
    [folders.reference, '/redoc', 'redoc.html', REFERENCE_POLICY],
  ]
  for (const name of namesIn(folders.dashboard)) {
    if (name !== 'index.html') pages.push([folders.dashboard, `/dashboard/${name}`, name, DASHBOARD_POLICY])
  }
  for (const name of namesIn(folders.auditor)) {
    if (name !== 'index.html') pages.push([folders.auditor, `/auditor/${name}`, name, PAGE_POLICY])
  }
  for (const name of SHARED) pages.push([folders.report, `/dashboard/${name}`, name, PAGE_POLICY])
  for (const name of namesIn(folders.reference)) {
    const address = `/docs/${name.replace(PACKED, '')}`
    if (extname(name) !== '.html') pages.push([folders.reference, address, name, REFERENCE_POLICY])
  }
  for (const [folder, path, name, policy] of pages) {
    add(path, fileHandler(folder, name, policy))
    // People type `/dashboard/#/findings`; the pages name their own files from the root.
    if (extname(name) === '.html' && path !== '/') add(`${path}/`, fileHandler(folder, name, policy))
  }
}

export type PageHandler = (request: FastifyRequest, reply: FastifyReply) => FastifyReply

function namesIn(folder: URL): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap(entry => (entry.isFile() ? [entry.name] : []))
  } catch {
    return []
  }
}

/** The ending of a script that is kept in gzip (RFC 1952). */
const PACKED = /\.gz$/

/** Sends a file with a validator, so that a browser fetches it again only when it has changed. */
function fileHandler(folder: URL, name: string, policy: string): PageHandler {
  const root = fileURLToPath(folder)
  return (request, reply) => {
    reply.header('content-security-policy', policy).header('cache-control', 'no-cache')
    if (!PACKED.test(name)) return reply.sendFile(name, root)
    reply.header('content-type', 'text/javascript; charset=utf-8').header('vary', 'accept-encoding')
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? ''))
      return reply.send(gunzipSync(readFileSync(join(root, name))))
    return reply.header('content-encoding', 'gzip').sendFile(name, root, { contentType: false })
  }
}

/** The page at /api: every address of the server, with what it does. */
export function renderLandingPage(rows: readonly ManifestRow[]): string {
  const offered = rows
    .filter(row => row.rest !== null)
    .map(row => ({ ...deriveRoute(row.rest!), summary: row.summary }))
  offered.push({ method: 'GET', path: '/health', params: [], summary: 'Say that the server is up, and its version.' })
  offered.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.method < b.method ? -1 : 1))
  const lines = offered.map(
    ({ method, path, summary }) =>
      `<tr><td><code class="method ${method.toLowerCase()}">${method}</code></td><td><code>${escapeHtml(path)}</code></td><td>${escapeHtml(summary)}</td></tr>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>svc API</title>
<link rel="icon" href="/dashboard/icon.svg">
<link rel="stylesheet" href="/docs/reference.css">
</head>
<body class="landing">
<header><h1>svc API</h1>
<nav><a href="/dashboard">Dashboard</a> <a href="/docs">Try it out</a> <a href="/redoc">Reference</a> <a href="/openapi.json">openapi.json</a></nav></header>
<main><table>
<thead><tr><th>Method</th><th>Path</th><th>What it does</th></tr></thead>
<tbody>
${lines.join('\n')}
</tbody></table></main>
</body>
</html>
`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, char => `&#${char.charCodeAt(0)};`)
}
