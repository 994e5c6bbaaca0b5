import { expect, test } from 'vitest'
import { listConstants, mayGiveValue } from '../../../engine/detect/constants/program.ts'
import { listSettings } from '../../../engine/detect/constants/settings.ts'
import { registerGrammars } from '../../../engine/detect/syntax/grammar.ts'

registerGrammars()

const read = (language: string, text: string) =>
  Object.fromEntries(listConstants(language, text).map(({ name, value }) => [name, value]))

test('names, fields of classes and members of enumerations are constants, in eight languages', () => {
  expect(
    read('python', 'ALG = "md5"\nOFF = not True\nclass Tls:\n    VERIFY = False\nMAP = {"a": {"b": 1}}\n'),
  ).toEqual({
    ALG: 'md5',
    'Tls.VERIFY': false,
    'MAP.a.b': 1,
  })
  const script =
    "export const A = 'x'\nexport enum Hash { Weak = 'md5' }\nconst tls = { verify: false } as const\nexport default tls\n"
  expect(read('typescript', script)).toMatchObject({ A: 'x', 'Hash.Weak': 'md5', verify: false })
  expect(read('javascript', 'module.exports = { tls: Object.freeze({ verify: false }) }')).toEqual({
    'tls.verify': false,
  })
  expect(
    read('java', 'interface A { String M = "DES"; } class B { static final String N = A + "x"; String o = "p"; }'),
  ).toEqual({
    'A.M': 'DES',
  })
  expect(read('java', 'class B { static final String N = "DES"; static final String O = N + "/ECB"; }')).toMatchObject({
    'B.N': 'DES',
  })
  expect(read('csharp', 'class A { public const string B = "MD5"; public static bool C = false; }')).toEqual({
    'A.B': 'MD5',
  })
  expect(read('kotlin', 'object A { const val B = "DES" }')).toEqual({ 'A.B': 'DES' })
  expect(read('go', 'package c\nconst A = "md5"\nvar B = "md5"\n')).toEqual({ A: 'md5' })
  expect(read('php', "<?php class A { const B = 'des'; }")).toEqual({ 'A.B': 'des' })
  expect(read('ruby', "module A\n  B = 'md5'\nend\n")).toEqual({ B: 'md5' })
})

test('what is assigned twice, under a condition or by a function is no constant', () => {
  expect(read('python', 'A = 1\nA = 2\nif x:\n    B = 1\nC = f()\nD = 3\ndef g():\n    global D\n    D = 4\n')).toEqual(
    {},
  )
})

test('a constant has the place of its name and value', () => {
  const [found] = listConstants('python', 'x = f()\nALG = "md5"\n')
  expect(found).toEqual({ name: 'ALG', value: 'md5', line: 2, column: 1, end_column: 12 })
})

const settings = (kind: 'properties' | 'yaml' | 'dotenv', text: string) =>
  Object.fromEntries(listSettings(kind, text).map(({ name, value }) => [name, value]))

test('files of settings are read by their keys', () => {
  expect(settings('properties', '# a=b\ncrypto.alg = DES/ECB\nb: c\r\npath=C\\:\\\\x\n')).toEqual({
    'crypto.alg': 'DES/ECB',
    b: 'c',
    path: 'C:\\x',
  })
  expect(settings('dotenv', 'export A="b c"\nD=e # why\n#F=g\n')).toEqual({ A: 'b c', D: 'e' })
  expect(settings('yaml', 'crypto:\n  alg: DES # why\n  tls:\n    verify: false\nother.key: "x"\nn: 3\n')).toEqual({
    'crypto.alg': 'DES',
    'crypto.tls.verify': false,
    'other.key': 'x',
    n: 3,
  })
})

test('what is filled in when the program runs, spans lines or is a list is no value', () => {
  expect(settings('properties', 'a=${A}\nb=c\\\n  d\n')).toEqual({})
  expect(settings('dotenv', 'A=$(cat key)\nB=${C}\n')).toEqual({})
  expect(settings('yaml', 'a: |\n  text\nb: [1, 2]\nc: *other\nd:\n  - e: f\n')).toEqual({})
})

test.each([
  ['python', 'ALG: str = "md5"\nOTHER = ALG\nMAP = {"a": {"b": 1}, \'c\': f"x"}\nRAW = r"x"\nLESS = -1\n'],
  [
    'typescript',
    "export const A: string = 'x'\nexport enum Hash { Weak = 'md5', Old = 1 }\nconst B = `x`\nconst tls = { verify: false }\n",
  ],
  ['javascript', "exports.A = 'x'\nmodule.exports = { tls: Object.freeze({ verify: false }), 'b': A }\n"],
  [
    'java',
    'class B { static final String N = "DES"; static final String O = N + "/ECB"; static final int P = -1; } enum E { AES("aes"), DES ( "des" ); }',
  ],
  ['kotlin', 'object A { const val B: String = "DES"\nconst val C = "x" }'],
  [
    'csharp',
    'class A { public const string B = "MD5"; public const string C = @"x"; public const string D = $"{B}"; }',
  ],
  ['go', 'package c\nconst A = "md5"\nconst B Mode = "x"\nconst (\n\tC = string("y")\n\tD Mode = A\n)\n'],
  ['php', '<?php class A { const B = \'des\'; const C = self::B; } $x = "y";'],
  ['ruby', "module A\n  B = 'md5'\n  C = B\n  D = { a: 'x', 'b' => 1 }\nend\n"],
])('a text of %s that gives names values is read for each of them', (language, text) => {
  const found = listConstants(language, text)
  expect(found.length).toBeGreaterThan(1)
  for (const { name } of found)
    expect([name, mayGiveValue(language, text, name.split('.').at(-1)!)]).toEqual([name, true])
})

test.each([
  ['go', 'func Parse(s string) error\ntype Mode struct{}\nx := Parse(y)\nvar z = Config{Mode: 1}\n', ['Parse', 'Mode']],
  [
    'java',
    'class Config { Config(String s) {} Key key = new Key(); static Key Make(Key k) { return Make("x"); } }',
    ['Config', 'Key'],
  ],
  ['python', 'def make(x): pass\nKEY = make("x")\n', ['make', 'KEY']],
])('a text of %s is not read for functions and types', (language, text, names) => {
  for (const name of names) expect([name, mayGiveValue(language, text, name)]).toEqual([name, false])
})
