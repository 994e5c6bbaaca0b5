import { describe, expect, it } from 'vitest'
import { isTranslation } from '../../../engine/detect/secrets/generic/translated.ts'
import { growth, SQUARE } from '../../made/effort.ts'
import { found, value } from './made.ts'

const V = value('{base62:6}7k{base62:4}')

/** The messages of a program in some language, one of them about a password. */
const messages = (word: string) =>
  [
    '"login": "Iñsah taro",',
    '"welcome": "Belo tarim nuska, $1!",',
    '"yourname": "Tarim",',
    `"yourpassword": "${word}",`,
    '"remember": "Nuska belo tarim",',
    '"logout": "Belo sah",',
    '"nologin": "Tarim nuska sah belo?"',
  ].join('\n')

describe('a word for password in the messages of a language', () => {
  it.each(['Paesswatt', 'Somimgetu', 'nyumu sandi'])('is no password: %s', word => {
    expect(found(`{${messages(word)}}`, 'json')).toEqual([])
  })

  it('nor in the list of a script', () => {
    const script = messages('Senhalor').replace(/^"(\w+)": (.*?),?$/gm, "$lang['$1'] = $2;")
    expect(found(`<?php\n${script}`, 'php')).toEqual([])
  })

  it('nor in a message of a catalog, in one line or over several', () => {
    const word = value('{lower:9}')
    const catalog = (message: string) => `msgid ""\n"[-port port] [-pwd secret] "\n"[-name name]"\n${message}`
    for (const message of [`msgstr "passphrase: ${word}"`, `msgstr ""\n"[-port b] [-pwd ${word}] "\n"[-name c]"`]) {
      const text = catalog(message)
      const start = text.indexOf(word)
      expect(isTranslation(text, start, start + word.length), message).toBe(true)
    }
    // What a program hands over in quotes, line by line, is of no catalog; and no word of a language has digits.
    for (const text of [`run(\n"--password: ${word}"\n"x")`, catalog(`msgstr "passphrase: ${V}"`)]) {
      const given = text.includes(V) ? V : word
      expect(isTranslation(text, text.indexOf(given), text.indexOf(given) + given.length), text).toBe(false)
    }
  })

  it('is one where it is made up, or where its neighbours are settings', () => {
    expect(found(`{${messages(V)}}`, 'json').map(one => one.value)).toEqual([V])
    const settings = ['"host": "db7.acme.io",', '"port": "5432",', '"user": "bob",', '"tls": "on",', '"pool": "small",']
    const word = value('{lower:9}')
    const text = `{${settings.join('\n')}\n"password": "${word}"}`
    const start = text.indexOf(word)
    expect(isTranslation(text, start, start + word.length)).toBe(false)
  })

  it('is one among calls that give several texts on a line', () => {
    const lines = [
      "connect(user: 'root', mode: 'fast')",
      "open(user: 'sa', mode: 'slow')",
      "use(name: 'dhh', as: 'amy')",
    ]
    const word = value('{lower:9}')
    const text = `${[...lines, ...lines].join('\n')}\nUser.create(mail: 'bob', password: '${word}')\n${lines.join('\n')}`
    const start = text.indexOf(word)
    expect(isTranslation(text, start, start + word.length)).toBe(false)
  })

  it('is told in time linear to the text', () => {
    const text = (size: number) => found(`{${`${messages('Paesswatt')},\n`.repeat(size)}}`, 'json')
    expect(growth(text, 100)).toBeLessThan(SQUARE)
  })
})
