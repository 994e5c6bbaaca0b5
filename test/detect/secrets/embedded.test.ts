import { describe, expect, it } from 'vitest'
import { findAnchors } from '../../../engine/detect/secrets/generic/anchors.ts'
import { runGeneric } from '../../../engine/detect/secrets/generic/run.ts'
import { growth, SQUARE } from '../../made/effort.ts'
import { found, looked, value } from './made.ts'

const V = value('{base62:6}7k{base62:4}')

describe('a setting in a text of many lines within a program is found', () => {
  it.each([
    ['python', `CONFIG = """\n[server]\nprivate_token = ${V}\n"""`],
    ['python', `load('''\nhost: db7\npassword: ${V}\n''')`],
    ['python', `CONFIG = """\nhost: db7\npassword: ${V}"""`],
    ['go', `const hosts = \`\ndb7:\n  oauth_token: ${V}\n\``],
    ['javascript', `write(\`\nuser=bob\npassword=${V}\n\`)`],
    ['perl', `=head1 SETTINGS\n\n user: bob\n password: ${V}\n\n=cut`],
    ['ruby', `text = <<~YAML\n  password: ${V}\nYAML`],
    ['php', `$text = <<<INI\npassword = ${V}\nINI;`],
  ])('in %s: %s', (language, text) => {
    expect(found(text, language).map(one => one.value)).toEqual([V])
  })

  it('and is never sure: examples of a documentation stand so', () => {
    const text = `EXAMPLES = r"""\n  user: bob\n  password: ${V}\n"""`
    expect(runGeneric(text, findAnchors(text), 'python', false)).toEqual([
      expect.objectContaining({ confidence: 0.65 }),
    ])
  })

  it('and no name that a line of the program itself is given', () => {
    expect(found(`"""A text."""\npassword = ${V}\n`, 'python')).toEqual([])
    expect(found(`text = <<~YAML\n  a: b\nYAML\npassword = ${V}\n`, 'ruby')).toEqual([])
    expect(found('const a = `x`\ntoken = v2Token7\n', 'javascript')).toEqual([])
  })

  it('and no type, word or reference there', () => {
    expect(found('"""\npassword: string\ntoken: required\nsecret: self.secret\n"""', 'python')).toEqual([])
  })

  it('in time linear to the text', () => {
    const text = (size: number) => looked(`a = """\n${`password: ${V}\n`.repeat(size)}"""`, 'python')
    expect(growth(text, 500)).toBeLessThan(SQUARE)
  })
})

describe('a login that a text tells is found', () => {
  it.each([
    ['markdown', `The default credentials are admin/${V}.`],
    ['markdown', `Credentials: \`admin\` / \`${V}\``],
    ['markdown', `| User | Password |\n|------|----------|\n| bob | \`${V}\` |`],
    ['text', `machine acme.io\nlogin bob\npassword ${V}`],
    ['text', `userPassword:: ${Buffer.from(V).toString('base64')}`],
    ['conf', `enable secret 5 $1$mERr$${value('{base62:22}')}`],
    ['bash', `aws configure set aws_secret_access_key ${value('{base62:40}')}`],
    ['bash', `expect "assword:"\nsend "${V}\\r"`],
    ['go', `smtp.PlainAuth("", "bob@acme.io", "${V}", "smtp.acme.io")`],
    ['python', `conn.simple_bind_s("cn=bob,o=acme", "${V}")`],
    ['python', `credentials = [("bob", "${V}"), ("eve", other)]`],
  ])('in %s: %s', (language, text) => {
    expect(found(text, language)).toHaveLength(1)
  })

  it.each([
    ['markdown', 'The credentials are read/written by the server.'],
    ['markdown', '| User | Password |\n|------|----------|\n| string | string |'],
    ['markdown', '| Option | Password policy |\n|------|----------|\n| bob | min8chars |'],
    ['python', 'parser.add_argument("--auth", choices=["password", "publickey"])'],
    ['php', "'password' => 'required|min:8|confirmed',"],
    ['javascript', "$(input).bind('password', 'change')"],
  ])('and nothing in %s: %s', (language, text) => {
    expect(found(text, language)).toEqual([])
  })
})
