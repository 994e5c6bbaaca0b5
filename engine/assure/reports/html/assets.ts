import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** The page's files stand beside this one in the sources and in dist/report-page/ when built. */
const FOLDER = new URL(import.meta.url.endsWith('.ts') ? './page/' : './report-page/', import.meta.url)

/** Later ones win. The first two are the dashboard's too. */
const STYLES = [
  'tokens.css',
  'elements.css',
  'base.css',
  'overview.css',
  'filters.css',
  'findings.css',
  'sections.css',
  'media.css',
]

/** In the order that they are put together: a file uses what stands before it. */
const SCRIPTS = ['dom.js', 'prose.js', 'filter.js', 'card.js', 'list.js', 'main.js']

interface Assets {
  style: string
  /** Runs in the head, before anything is painted. */
  theme: string
  script: string
  /** Content security policy: nothing loads, and only these three texts are style and script. */
  policy: string
}

let loaded: Assets | undefined

/** A style sheet or script of the pages, by its file name. */
export function readPageAsset(name: string): string {
  return readFileSync(new URL(name, FOLDER), 'utf8')
}

/** Style, scripts and policy of the page; read once. */
export function loadAssets(): Assets {
  if (loaded) return loaded
  const style = STYLES.map(readPageAsset).join('')
  const theme = readPageAsset('theme.js')
  // The files are modules to editors and linters, and one module in the page: the lines that join them fall away.
  const script = SCRIPTS.map(readPageAsset)
    .join('')
    .replace(/^import .*\n/gm, '')
    .replace(/^export /gm, '')
  const policy = [
    "default-src 'none'",
    `script-src ${digest(theme)} ${digest(script)}`,
    `style-src ${digest(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  loaded = { style, theme, script, policy }
  return loaded
}

function digest(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
