import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../root.ts'

const text = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')

describe('the Dockerfile', () => {
  it('has no fault that dockerfilelint knows', () => {
    const lint = spawnSync(
      join(ROOT, 'node_modules/.bin/dockerfilelint'),
      ['--output', 'json', join(ROOT, 'Dockerfile')],
      {
        encoding: 'utf8',
      },
    )
    expect(JSON.parse(lint.stdout).totalIssues, lint.stdout).toBe(0)
  })

  it('ends with a user who is not root, and copies nothing into the image but the tarball', () => {
    const last = text.slice(text.lastIndexOf('\nFROM '))
    expect(last).toMatch(/^USER node$/m)
    expect(last.match(/^(COPY|ADD) .*$/gm)).toEqual(['COPY --from=build /svc.tgz /svc.tgz'])
  })

  it('takes the version of Node.js that the package asks for', () => {
    const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    const [major] = /\d+/.exec(engines.node)!
    const bases = [...text.matchAll(/^FROM node:(\d+)\S* ?/gm)].map(([, version]) => version)
    expect(bases).toEqual([major, major])
  })
})
