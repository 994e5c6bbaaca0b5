#!/usr/bin/env node
// The command `svc` of the package that npm installs: it runs the program in the package of this platform.

import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const require = createRequire(import.meta.url)
const own = require('./package.json')
const name = `${own.name}-${process.platform}-${process.arch}`
const program = findProgram()
if (program !== undefined) await import(pathToFileURL(program).href)
else {
  console.error(
    name in own.optionalDependencies
      ? `svc: the package ${name} is missing. Install it with: npm install --global ${name}@${own.version}`
      : `svc: there is no package for ${process.platform}-${process.arch}. There is one for: ${Object.keys(own.optionalDependencies).join(', ')}`,
  )
  process.exitCode = 69
}

function findProgram() {
  try {
    const path = join(dirname(require.resolve(`${name}/package.json`)), 'dist/svc.js')
    return existsSync(path) ? path : undefined
  } catch {
    // Not installed: npm leaves out optional packages with --omit=optional, and those of other platforms.
    return undefined
  }
}
