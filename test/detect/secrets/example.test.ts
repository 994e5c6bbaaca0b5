import { describe, expect, it } from 'vitest'
import { findAnchors } from '../../../engine/detect/secrets/generic/anchors.ts'
import { runGeneric } from '../../../engine/detect/secrets/generic/run.ts'
import { value } from './made.ts'

const V = value('{base62:5}7k{base62:5}')
/** The login that a server has by default; in parts, since this file is scanned, too. */
const PG = ['postgres', 'postgres'].join(':')
const kindsIn = (path: string, language: string, text: string) =>
  runGeneric(text, findAnchors(text), language, false, path).map(({ kind }) => kind)

describe('a credential in documentation or a test', () => {
  it.each([
    ['README.md', 'markdown', `password: "${V}"`],
    ['docs/setup.rst', 'rst', `password = "${V}"`],
    ['test/login.test.js', 'javascript', `const password = '${V}'`],
    ['lib/client.js', 'javascript', `/**\n * new Client({ user: 'joe', password: '${V}' })\n */`],
  ])('is an example, in %s', (path, language, text) => {
    expect(kindsIn(path, language, text)).toEqual(['example', 'password'])
  })

  it.each([
    ['README.md', 'markdown', "new Client({ user: 'postgres', password: 'asdf' })"],
    ['lib/index.js', 'javascript', " * connect('mongodb://val:psw@127.0.0.1:27017/shop')"],
    ['test/a.test.js', 'javascript', "const passphrase = 'passphrase1'"],
    ['README.md', 'markdown', "new Client({ password: 'foobared' })"],
    ['README.md', 'markdown', "{ port: 30001, password: 'password-for-30001' }"],
  ])('is none where it is a placeholder, in %s: %s', (path, language, text) => {
    expect(kindsIn(path, language, text)).toEqual([])
  })

  it.each([
    ['a file of settings', 'config/db.yaml', 'yaml', `password: "${V}"`],
    ['code whose file is named like documentation', 'src/history.ts', 'typescript', `const password = '${V}'`],
    ['code that is commented out', 'src/db.js', 'javascript', `// const password = '${V}'`],
    ['code in a block that is commented out', 'src/db.js', 'javascript', `/* const password = '${V}' */`],
  ])('is no example in %s', (_, path, language, text) => {
    expect(kindsIn(path, language, text)).toEqual(['password'])
  })

  it.each([
    [`const db = 'postgres://${PG}@localhost:5432/app'`, ['example', 'url']],
    [`const db = 'postgres://${PG}@db.acme-corp.net/app'`, ['url']],
    [`const db = 'postgres://${PG}@localhost.acme-corp.net/app'`, ['url']],
  ])('is an example where a server has it by default, on the machine itself: %s', (text, kinds) => {
    expect(kindsIn('src/db.js', 'javascript', text)).toEqual(kinds)
  })

  it('is no example where a password of its own protects a server on the machine itself', () => {
    expect(kindsIn('src/db.js', 'javascript', `const db = 'postgres://app:${V}@localhost/app'`)).toEqual(['url'])
  })

  it('is an example in documentation without an ending', () => {
    expect(kindsIn('README', 'text', `password: "${V}"`)).toEqual(['example', 'password'])
  })
})
