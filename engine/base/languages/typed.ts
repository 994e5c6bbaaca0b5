import {
  charTick,
  dollarBrace,
  double,
  doubleLines,
  makeDoublingForm,
  makeQuotedForm,
  nestedSlashStar,
  single,
  slashes,
  slashStar,
  tripleDouble,
  tripleSingle,
} from './forms.ts'
import type { Language, Lexis, StringForm } from './language.ts'

const braces = [{ open: '{', close: '}', doubled: true as const }]
const c: Lexis = {
  line: [{ ...slashes, continued: true }],
  block: [slashStar],
  strings: [double, makeQuotedForm("'", { not_in_number: true })],
}
const kotlinLike: StringForm[] = [
  { open: '"""', multiline: true, interpolations: [dollarBrace] },
  makeQuotedForm('"', { interpolations: [dollarBrace] }),
]

/** Statically typed languages for which ast-grep has a grammar. */
export const TYPED: readonly Language[] = [
  { name: 'c', display: 'C', extensions: ['h'], lexis: c },
  {
    name: 'cpp',
    display: 'C++',
    extensions: ['hh'],
    aliases: ['c++'],
    lexis: { ...c, quirks: ['cpp_raw'] },
  },
  {
    name: 'csharp',
    display: 'C#',
    extensions: ['cs', 'cake'],
    aliases: ['c#', 'cs'],
    lexis: {
      line: [slashes],
      block: [slashStar],
      strings: [
        makeDoublingForm('$@"', { close: '"', multiline: true, interpolations: braces }),
        makeDoublingForm('@$"', { close: '"', multiline: true, interpolations: braces }),
        makeDoublingForm('@"', { close: '"', multiline: true }),
        makeQuotedForm('$"', { close: '"', interpolations: braces }),
        double,
        single,
      ],
      quirks: ['csharp_raw'],
    },
  },
  {
    name: 'dart',
    display: 'Dart',
    lexis: {
      line: [slashes, { open: '#!', column: 1 }],
      block: [nestedSlashStar],
      strings: [
        { open: '"""', multiline: true, prefix: ['r'] },
        { open: "'''", multiline: true, prefix: ['r'] },
        { open: '"', prefix: ['r'] },
        { open: "'", prefix: ['r'] },
        { ...tripleDouble, interpolations: [dollarBrace] },
        { ...tripleSingle, interpolations: [dollarBrace] },
        { ...double, interpolations: [dollarBrace] },
        { ...single, interpolations: [dollarBrace] },
      ],
    },
  },
  {
    name: 'go',
    display: 'Go',
    interpreters: ['gorun'],
    aliases: ['golang'],
    lexis: { line: [slashes], block: [slashStar], strings: [double, single, { open: '`', multiline: true }] },
  },
  {
    name: 'java',
    display: 'Java',
    lexis: { line: [slashes], block: [slashStar], strings: [tripleDouble, double, single] },
  },
  {
    name: 'kotlin',
    display: 'Kotlin',
    interpreters: ['kotlin', 'kotlinc'],
    lexis: { line: [slashes, { open: '#!', column: 1 }], block: [nestedSlashStar], strings: [...kotlinLike, single] },
  },
  {
    name: 'rust',
    display: 'Rust',
    extensions: ['rs'],
    interpreters: ['cargo'],
    aliases: ['rs'],
    lexis: { line: [slashes], block: [nestedSlashStar], strings: [doubleLines, charTick], quirks: ['rust_raw'] },
  },
  {
    name: 'scala',
    display: 'Scala',
    extensions: ['sc'],
    interpreters: ['scala-cli', 'amm'],
    lexis: {
      line: [slashes, { open: '#!', column: 1 }],
      block: [nestedSlashStar],
      strings: [
        { open: '"""', tagged: true, multiline: true, interpolations: [dollarBrace] },
        makeQuotedForm('"', { tagged: true, interpolations: [dollarBrace] }),
        { open: '"""', multiline: true },
        double,
        charTick,
      ],
    },
  },
  {
    name: 'swift',
    display: 'Swift',
    interpreters: ['swift'],
    lexis: {
      line: [slashes, { open: '#!', column: 1 }],
      block: [nestedSlashStar],
      strings: [
        makeQuotedForm('"""', { multiline: true, interpolations: [{ open: '\\(', close: ')' }] }),
        makeQuotedForm('"', { interpolations: [{ open: '\\(', close: ')' }] }),
      ],
      quirks: ['swift_raw'],
    },
  },
]
