import { fileURLToPath } from 'node:url'
import { DIST } from '../base/disk/assets.ts'
import type { Program } from './script.ts'

/** This svc, and the Node.js that runs it. */
export function locateThisProgram(): Program {
  return { node: process.execPath, svc: fileURLToPath(new URL('svc.js', DIST)) }
}
