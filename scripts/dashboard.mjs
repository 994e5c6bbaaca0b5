// How the sources of the dashboard become the files that a browser loads.

import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './bundling.mjs'

/** What is loaded as it stands. */
const STATIC = ['index.html', 'icon.svg', 'theme.js']

/** The options of esbuild: one entry, and a file for each page, which is loaded when it is first opened. */
export function dashboardOptions(outdir) {
  return {
    absWorkingDir: root,
    entryPoints: { app: 'api/dashboard/app.tsx' },
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome115', 'firefox115', 'safari16.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    chunkNames: '[name]-[hash]',
    logLevel: 'warning',
  }
}

/** Copies the files that are loaded as they stand. */
export function copyStatic(outdir) {
  for (const name of STATIC) cpSync(join(root, 'api/dashboard', name), join(outdir, name))
}
