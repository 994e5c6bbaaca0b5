import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT, textOf } from '../root.ts'
import { PAGES } from './pages.ts'

/** Text without code, in which brackets are no links. */
const proseOf = (page: string) => textOf(page).replace(/^```[\s\S]*?^```$/gm, '')

/** Anchors of a page, as forges make them from its headings. */
const anchorsOf = (page: string) =>
  new Set(
    [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )

describe('links in the documentation', () => {
  it.each(PAGES)('%s: lead to files and headings that exist', page => {
    const wrong = [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link]) => link!)
      .filter(link => !/^[a-z]+:/.test(link))
      .filter(link => {
        const [path, anchor] = link.split('#') as [string, string?]
        const target = path === '' ? page : normalize(join(dirname(page), path))
        if (!existsSync(join(ROOT, target))) return true
        return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor)
      })
    expect(wrong).toEqual([])
  })

  it('list every page in docs/README.md', () => {
    const index = textOf('docs/README.md')
    const pages = readdirSync(join(ROOT, 'docs')).filter(name => name.endsWith('.md') && name !== 'README.md')
    expect(pages.filter(name => !index.includes(`(${name})`))).toEqual([])
  })
})

describe('a page of the documentation', () => {
  it.each(PAGES)('%s: has at most 200 lines and begins with what it is for', page => {
    const lines = textOf(page).split('\n')
    expect(lines.length).toBeLessThanOrEqual(201)
    expect(lines[0]).toMatch(/^# \S/)
    if (page !== 'README.md') expect(lines[2]).toMatch(/^This page /)
  })
})
