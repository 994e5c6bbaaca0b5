import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findQuotedStretches } from '../../../engine/detect/file/definition.ts'
import { loadBuiltinPacks } from '../../../engine/sources/packs/load.ts'
import { formatPack } from '../../../engine/sources/packs/pack-file.ts'
import { ROOT } from '../../root.ts'

const RULE = readFileSync(join(ROOT, 'packs/python/rules/python-yaml-unsafe-load.yaml'), 'utf8')

/** What of the text lies in quoted stretches. */
function quoted(text: string, language = 'yaml'): string {
  return findQuotedStretches(language, text)
    .map(({ start, end }) => text.slice(start, end))
    .join('')
}

describe('files that define rules', () => {
  it('the examples, the pattern and the remediation of a rule are quoted, its message is not', () => {
    for (const key of ['match:', 'clean:', 'remediation:']) expect(quoted(RULE)).toContain(`${key}`)
    expect(quoted(RULE)).not.toMatch(/^(message|title|id):/m)
  })

  it('every rule and every detector of the project is known by its form', () => {
    const unknown: string[] = []
    for (const pack of readdirSync(join(ROOT, 'packs'))) {
      for (const kind of ['rules', 'detectors']) {
        let names: string[] = []
        try {
          names = readdirSync(join(ROOT, 'packs', pack, kind)).filter(name => name.endsWith('.yaml'))
        } catch {
          continue
        }
        for (const name of names) {
          const text = readFileSync(join(ROOT, 'packs', pack, kind, name), 'utf8')
          if (findQuotedStretches('yaml', text).length < 2) unknown.push(`${pack}/${kind}/${name}`)
        }
      }
    }
    expect(unknown).toEqual([])
  })

  it('the address and the headers by which a detector asks its provider are not quoted', () => {
    const text =
      'id: secret-a\nprovider: A\ntitle: t\nseverity: high\nsource: s\nrevoke: r\nverify:\n  url: u\nmatch:\n  - a\nclean:\n  - b\n'
    expect(quoted(text)).toBe('match:\n  - a\nclean:\n  - b\n')
  })

  it('a file with one key more, or one too few, is no definition, so a configuration cannot pass for one', () => {
    expect(quoted(`${RULE}\npassword: x\n`)).toBe('')
    expect(quoted(RULE.replace(/^severity:.*\n/m, ''))).toBe('')
    expect(quoted(`${RULE}match:\n  - again\n`)).toBe('')
  })

  it('a pack that was exported quotes in each of its rules, and with a key more, or a rule that is none, in none', async () => {
    for (const id of ['spring', 'python']) {
      const pack = loadBuiltinPacks().find(each => each.id === id)!
      const text = await formatPack(pack)
      expect(quoted(text).match(/^ {4}match:$/gm), id).toHaveLength(pack.rules.length)
      expect(quoted(text)).not.toMatch(/^( {4}|)(message|title|id|description):/m)
      expect(quoted(`${text}password: x\n`)).toBe('')
      expect(quoted(text.replace(/^ {4}severity:.*\n/m, ''))).toBe('')
      expect(quoted(`${text}  - password: x\n`)).toBe('')
    }
  })

  it('the same text under another name than YAML is no definition', () => {
    expect(quoted(RULE, 'text')).toBe('')
  })
})
