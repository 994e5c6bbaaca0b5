import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { formatTree, readLicense } from '../../engine/supply/licenses/expression.ts'
import { identifyLicenses, readTags } from '../../engine/supply/licenses/identify.ts'
import { classifyLicense, classifyTree, RISKS } from '../../engine/supply/licenses/kinds.ts'
import { readDep5, readReuseToml } from '../../engine/supply/licenses/own/annotations.ts'
import { compilePolicy, judgeKind, judgeTree } from '../../engine/supply/licenses/policy.ts'
import { loadLicenseTexts } from '../../engine/supply/licenses/texts.ts'
import fc from '../made/property.ts'

const expressionOf = (text: string, list?: 'or' | 'and') => {
  const read = readLicense(text, list && { list })
  return 'tree' in read ? read.expression : undefined
}
const treeOf = (text: string) => {
  const read = readLicense(text)
  if (!('tree' in read)) throw new Error(`${text} is no license`)
  return read.tree
}

describe('a license text of a manifest', () => {
  it('is read as an SPDX expression, in any case, with AND before OR and WITH kept', () => {
    expect(expressionOf('mit or apache-2.0 AND bsd-3-clause')).toBe('MIT OR Apache-2.0 AND BSD-3-Clause')
    expect(treeOf('MIT OR Apache-2.0 AND ISC')).toEqual({
      any: [{ license: 'MIT' }, { all: [{ license: 'Apache-2.0' }, { license: 'ISC' }] }],
    })
    expect(expressionOf('(MIT OR GPL-2.0+) AND BSD-3-Clause')).toBe('(MIT OR GPL-2.0-or-later) AND BSD-3-Clause')
    expect(treeOf('Apache-2.0 with LLVM-exception')).toEqual({ license: 'Apache-2.0', exception: 'LLVM-exception' })
    expect(expressionOf('GPL-2.0-with-classpath-exception')).toBe('GPL-2.0-only WITH Classpath-exception-2.0')
    expect(expressionOf('LicenseRef-own AND MIT')).toBe('LicenseRef-own AND MIT')
  })

  it.each([
    ['Apache License, Version 2.0', 'Apache-2.0'],
    ['http://www.apache.org/licenses/LICENSE-2.0.txt', 'Apache-2.0'],
    ['The MIT License (MIT)', 'MIT'],
    ['BSD 3-Clause', 'BSD-3-Clause'],
    ['New BSD License', 'BSD-3-Clause'],
    ['GPLv3', 'GPL-3.0-only'],
    ['GPLv2+', 'GPL-2.0-or-later'],
    ['GNU LGPL 2.1 or later', 'LGPL-2.1-or-later'],
    ['GNU General Public License v3 or later (GPLv3+)', 'GPL-3.0-or-later'],
    ['GPL', 'GPL-1.0-or-later'],
    ['Mozilla Public License 2.0 (MPL 2.0)', 'MPL-2.0'],
    ['MIT/Apache-2.0', 'MIT OR Apache-2.0'],
    ['wxWindows', 'LGPL-2.0-or-later WITH WxWindows-exception-3.1'],
  ])('corrects the name %s', (name, expression) => {
    expect(readLicense(name)).toMatchObject({ expression, corrected: true })
  })

  it.each([
    'BSD',
    'Apache',
    'Artistic',
    'Public Domain',
    'MIT AND',
    'MIT*',
    'custom',
    '',
    'NOASSERTION',
    'GPL-3.0 or later AND',
    'FooBar-1.0',
    'constructor',
    '__proto__',
  ])('leaves %j unknown rather than guess', text => {
    expect(readLicense(text)).toEqual({ unknown: text })
  })

  it('takes UNLICENSED for proprietary and never for the Unlicense', () => {
    for (const text of ['UNLICENSED', 'Unlicensed', 'unlicensed', 'Proprietary', 'All rights reserved'])
      expect(readLicense(text)).toEqual({ proprietary: true, name: text })
    expect(expressionOf('Unlicense')).toBe('Unlicense')
  })

  it('keeps every part of a list, which is a choice or holds together as its format says', () => {
    expect(expressionOf('MIT, BSD-3-Clause')).toBe('MIT OR BSD-3-Clause')
    expect(expressionOf('MIT, BSD-3-Clause', 'and')).toBe('MIT AND BSD-3-Clause')
    expect(expressionOf('GPL-2.0 or later AND MIT')).toBe('GPL-2.0-or-later AND MIT')
    expect(expressionOf('GPL-2.0+ or MIT')).toBe('GPL-2.0-or-later OR MIT')
    expect(expressionOf('GPLv3 and others')).toBeUndefined()
    expect(expressionOf('MIT, whatever')).toBeUndefined()
  })

  it('names the file that it refers to', () => {
    expect(readLicense('SEE LICENSE IN LICENSE.txt')).toEqual({
      unknown: 'SEE LICENSE IN LICENSE.txt',
      file: 'LICENSE.txt',
    })
  })

  it.each([
    ['a lock file', () => expect(readLicense(`a${','.repeat(80_000)}x`)).toHaveProperty('unknown')],
    ['a lock file, within the limit', () => expect(readLicense(`a${','.repeat(3_990)}x`)).toHaveProperty('unknown')],
    ['a tag', () => expect(readTags(`SPDX-License-Identifier: a${','.repeat(80_000)}x`)).toEqual([])],
    ['a tag with quotes', () => expect(readTags(`SPDX-License-Identifier: ${'"'.repeat(80_000)}\u2028x`)).toEqual([])],
  ])('of %s takes linear time, whatever stands at its end', (_, read) => {
    const start = performance.now()
    read()
    expect(performance.now() - start).toBeLessThan(1_000)
  })

  it('is read without quotes around it and punctuation behind it', () => {
    for (const said of ['"MIT"', "'MIT',", 'MIT;', `"MIT"',;`]) expect(expressionOf(said)).toBe('MIT')
    expect(readLicense(`",;"`)).toEqual({ unknown: `",;"` })
  })

  it('is refused in bounded time where it is nested deeply or long', () => {
    const began = performance.now()
    for (const text of [
      '('.repeat(4000),
      `${'('.repeat(2000)}MIT${')'.repeat(2000)}`,
      'MIT OR '.repeat(100_000),
      'A/'.repeat(50_000),
    ])
      expect(readLicense(text)).toHaveProperty('unknown')
    expect(performance.now() - began).toBeLessThan(2000)
  })

  it('comes out of any text without an error, and an expression is read back as the same', () => {
    const part = fc.constantFrom(
      'MIT',
      'GPL-2.0+',
      'BSD',
      '(',
      ')',
      'AND',
      'or',
      'WITH',
      'Classpath-exception-2.0',
      '+',
      '/',
      ',',
      'GPL',
      'v2',
      'or later',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(part, { maxLength: 12 }).map(parts => parts.join(' ')),
        ),
        text => {
          const read = readLicense(text)
          if ('tree' in read)
            expect(readLicense(read.expression)).toMatchObject({
              expression: read.expression,
              tree: read.tree,
              corrected: false,
            })
        },
      ),
    )
  })
})

describe('the kind of a license', () => {
  it('of a choice is the one that asks least, of licenses that hold together the one that asks most', () => {
    expect(classifyTree(treeOf('MIT OR GPL-3.0-only'))).toBe('permissive')
    expect(classifyTree(treeOf('MIT AND GPL-3.0-only'))).toBe('strong-copyleft')
    expect(classifyTree(treeOf('(MIT OR AGPL-3.0-only) AND MPL-2.0'))).toBe('weak-copyleft')
    expect(classifyTree(treeOf('MIT AND LicenseRef-x'))).toBe('unknown')
  })

  it('is weak copyleft where an exception lets other code be linked, and not by any other exception', () => {
    expect(classifyTree(treeOf('GPL-2.0-only WITH Classpath-exception-2.0'))).toBe('weak-copyleft')
    expect(classifyTree(treeOf('GPL-3.0-only WITH GPL-CC-1.0'))).toBe('strong-copyleft')
    expect(classifyTree(treeOf('Apache-2.0 WITH LLVM-exception'))).toBe('permissive')
  })

  it('gives the risks none, low, medium and high', () => {
    const risk = (text: string) => RISKS[classifyTree(treeOf(text))]
    expect(['CC0-1.0', 'MIT', 'LGPL-3.0-only', 'GPL-2.0-or-later', 'AGPL-3.0-only', 'BUSL-1.1'].map(risk)).toEqual([
      'none',
      'low',
      'medium',
      'high',
      'high',
      'high',
    ])
  })

  it('is known for every license that the Open Source Initiative has approved', () => {
    const listed = createRequire(import.meta.url)('spdx-license-list') as Record<string, { osiApproved: boolean }>
    const approved = Object.keys(listed).filter(id => listed[id]!.osiApproved)
    expect(approved.length).toBeGreaterThan(100)
    expect(
      approved.filter(license => ['unclassified', 'unknown', 'restricted'].includes(classifyLicense({ license }))),
    ).toEqual([])
  })
})

describe('a license policy', () => {
  const policy = (allow: string[], deny: string[] = [], review: string[] = []) =>
    compilePolicy({ allow, deny, review })!

  it('denies what is not on its allow list, and allows a choice with one allowed license', () => {
    const allow = policy(['permissive'])
    expect(judgeTree(allow, treeOf('MIT'))).toBe('allowed')
    expect(judgeTree(allow, treeOf('GPL-3.0-only'))).toBe('denied')
    expect(judgeTree(allow, treeOf('MIT OR GPL-3.0-only'))).toBe('allowed')
    expect(judgeTree(allow, treeOf('MIT AND GPL-3.0-only'))).toBe('denied')
  })

  it('lets the more exact entry hold, and deny before review before allow', () => {
    const mixed = policy(['GPL-2.0-only WITH Classpath-exception-2.0', 'MIT'], ['copyleft', 'MIT'], ['LGPL-*'])
    expect(judgeTree(mixed, treeOf('GPL-2.0-only WITH Classpath-exception-2.0'))).toBe('allowed')
    expect(judgeTree(mixed, treeOf('GPL-2.0-only'))).toBe('denied')
    expect(judgeTree(mixed, treeOf('LGPL-2.1-only'))).toBe('review')
    expect(judgeTree(mixed, treeOf('MIT'))).toBe('denied')
  })

  it('never allows an unknown license unless it names unknown', () => {
    expect(judgeKind(policy([], ['GPL-3.0-only']), 'unknown')).toBe('unknown')
    expect(judgeKind(policy(['unknown']), 'unknown')).toBe('allowed')
    expect(judgeKind(policy([], ['MIT']), 'proprietary')).toBe('denied')
    expect(judgeTree(policy([], ['GPL-3.0-only']), treeOf('LicenseRef-x'))).toBe('unknown')
  })

  it('is judged in linear time, whatever the expression', () => {
    const wide = Array.from({ length: 60 }, () => '(MIT OR Apache-2.0)').join(' AND ')
    const began = performance.now()
    expect(judgeTree(policy(['MIT']), treeOf(wide))).toBe('allowed')
    expect(performance.now() - began).toBeLessThan(1000)
  })

  it('lists entries that mean nothing', () => {
    expect(policy(['MITT']).unknownEntries).toEqual([{ list: 'allow', entry: 'MITT' }])
  })
})

describe('a text with licenses', () => {
  const textOf = (id: string) => loadLicenseTexts().get(id)!.text

  it('is told by the text of the license, whatever name and comment signs stand in it', () => {
    const mit = textOf('MIT')
      .replace('<year> <copyright holders>', '2026 Ada')
      .split('\n')
      .map(line => ` * ${line}`)
      .join('\n')
    expect(identifyLicenses(`/*\n${mit}\n */\nint main() {}`)).toMatchObject({
      expression: 'MIT',
      evidence: [{ by: 'text', line: 2 }],
    })
  })

  it('tells licenses apart of which one contains the other', () => {
    for (const id of [
      'BSD-2-Clause',
      'BSD-3-Clause',
      'ISC',
      '0BSD',
      'MIT',
      'MIT-0',
      'LGPL-2.1-only',
      'GPL-2.0-only',
      'AGPL-3.0-only',
      'GPL-3.0-only',
    ])
      expect(identifyLicenses(textOf(id)).expression).toBe(id)
  })

  it('is told by its tag, and by notices with the version and what of later ones', () => {
    expect(identifyLicenses('# SPDX-License-Identifier: (GPL-2.0+ OR MIT)\n').expression).toBe(
      'GPL-2.0-or-later OR MIT',
    )
    const notice =
      'This is free software; you can redistribute it under the terms of the GNU Lesser General Public License as published by the Free Software Foundation; either version 2.1 of the License, or (at your option) any later version.'
    expect(identifyLicenses(notice).expression).toBe('LGPL-2.1-or-later')
    expect(identifyLicenses('Licensed under the GNU General Public License version 2.').expression).toBe('GPL-2.0-only')
    expect(identifyLicenses('Licensed under the Apache License, Version 2.0 (the "License");').expression).toBe(
      'Apache-2.0',
    )
    expect(identifyLicenses('Released under the MIT license.').expression).toBe('MIT')
    expect(identifyLicenses('https://creativecommons.org/licenses/by-sa/4.0/').expression).toBe('CC-BY-SA-4.0')
  })

  it('is a choice where the text says alternatively', () => {
    const text = `${textOf('BSD-3-Clause')}\nAlternatively, this software may be distributed under the terms of the GNU General Public License version 2.`
    expect(identifyLicenses(text).expression).toBe('BSD-3-Clause OR GPL-2.0-only')
  })

  it('has none where it speaks of licenses', () => {
    for (const text of [
      'The license is compatible with the GNU GPL.',
      'This function returns the license of a package.',
      '',
    ])
      expect(identifyLicenses(text).expression).toBeUndefined()
  })

  it('is read in bounded time, whatever it repeats', () => {
    const began = performance.now()
    identifyLicenses('permission is hereby granted free of charge '.repeat(40_000))
    identifyLicenses('gnu general public license '.repeat(40_000))
    identifyLicenses('SPDX-License-Identifier: MIT\n'.repeat(40_000))
    expect(performance.now() - began).toBeLessThan(20_000)
  })
})

describe('licenses that one file says of others', () => {
  it('are read from REUSE.toml by path and precedence', () => {
    const [one, two] = readReuseToml(
      'version = 1\n[[annotations]]\npath = ["img/**", "a.txt"]\nSPDX-License-Identifier = "CC0-1.0"\n[[annotations]]\npath = "lib/*.js"\nprecedence = "override"\nSPDX-License-Identifier = "MIT"\n',
      'pkg',
    )
    expect([one!.takes('pkg/img/x/y.png'), one!.takes('img/y.png'), one!.license, one!.overrides]).toEqual([
      true,
      false,
      'CC0-1.0',
      false,
    ])
    expect([two!.takes('pkg/lib/a.js'), two!.takes('pkg/lib/x/a.js'), two!.overrides]).toEqual([true, false, true])
  })

  it('are read from dep5, where a star matches slashes and the last paragraph counts', () => {
    const found = readDep5(
      'Format: x\n\nFiles: *\nCopyright: me\nLicense: MIT\n\nFiles: docs/* *.md\nLicense: CC0-1.0\n',
    )
    const of = (path: string) => found.find(one => one.takes(path))?.license
    expect([of('src/a/b.c'), of('docs/x/y'), of('a/README.md')]).toEqual(['MIT', 'CC0-1.0', 'CC0-1.0'])
  })
})

it('an expression of a tree reads as the tree', () => {
  expect(formatTree({ all: [{ any: [{ license: 'MIT' }, { license: 'ISC' }] }, { license: 'Zlib' }] })).toBe(
    '(MIT OR ISC) AND Zlib',
  )
})
