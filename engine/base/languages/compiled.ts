import {
  charTick,
  cLike,
  dashes,
  dollarBrace,
  dollarParen,
  double,
  doubleLines,
  hash,
  hashBrace,
  makeDoublingForm,
  makeQuotedForm,
  nestedSlashStar,
  percent,
  semicolon,
  single,
  singleLines,
  slashes,
  slashStar,
  tripleDouble,
  tripleSingle,
} from './forms.ts'
import type { Language, Lexis } from './language.ts'

const basic: Lexis = { line: [{ open: "'" }, { open: 'rem', word: true }], strings: [makeDoublingForm('"')] }
const ada: Lexis = { line: [dashes], strings: [makeDoublingForm('"'), { open: "'", char: true }] }
const fortranStrings = [makeDoublingForm('"'), makeDoublingForm("'")]

/** Compiled and numeric languages. */
export const COMPILED: readonly Language[] = [
  { name: 'ada', display: 'Ada', extensions: ['gpr'], lexis: ada },
  {
    name: 'assembly',
    display: 'Assembly',
    extensions: ['s', 'sx'],
    aliases: ['asm'],
    lexis: { line: [slashes, { open: '#', first: true }], block: [slashStar], strings: [double] },
  },
  {
    name: 'cobol',
    display: 'COBOL',
    lexis: {
      line: [{ open: '*>' }, { open: '*', column: 7 }],
      strings: [makeDoublingForm('"'), makeDoublingForm("'")],
    },
  },
  {
    name: 'crystal',
    display: 'Crystal',
    lexis: {
      line: [hash],
      strings: [{ ...doubleLines, interpolations: [hashBrace] }, charTick],
      quirks: ['ruby_heredocs', 'ruby_percent', 'ruby_regex'],
    },
  },
  { name: 'cuda', display: 'CUDA', lexis: { ...cLike, quirks: ['cpp_raw'] } },
  {
    name: 'd',
    display: 'D',
    extensions: ['d'],
    interpreters: ['rdmd', 'dub'],
    lexis: {
      line: [slashes],
      block: [slashStar, { open: '/+', close: '+/', nested: true }],
      strings: [{ open: '"', prefix: ['r'], multiline: true }, doubleLines, { open: '`', multiline: true }, single],
    },
  },
  {
    name: 'fortran',
    display: 'Fortran',
    extensions: ['f90', 'f95', 'f03', 'f08', 'f18'],
    aliases: ['f90'],
    lexis: { line: [{ open: '!' }], strings: fortranStrings },
  },
  {
    name: 'fortran77',
    display: 'Fortran, fixed form',
    extensions: ['f', 'for', 'f77', 'ftn'],
    lexis: {
      line: [{ open: '!' }, { open: '*', column: 1 }, { open: 'c', column: 1 }, { open: 'C', column: 1 }],
      strings: fortranStrings,
    },
  },
  {
    name: 'haxe',
    display: 'Haxe',
    extensions: ['hxml'],
    lexis: { ...cLike, strings: [doubleLines, { ...singleLines, interpolations: [dollarBrace] }] },
  },
  {
    name: 'julia',
    display: 'Julia',
    lexis: {
      line: [hash],
      block: [{ open: '#=', close: '=#', nested: true }],
      strings: [
        { ...tripleDouble, interpolations: [dollarParen] },
        { ...doubleLines, interpolations: [dollarParen] },
        makeQuotedForm("'", { char: true, not_after_word: true }),
      ],
    },
  },
  {
    name: 'matlab',
    display: 'MATLAB',
    extensions: ['mlx'],
    interpreters: ['octave', 'matlab'],
    aliases: ['octave'],
    lexis: {
      line: [percent],
      block: [{ open: '%{', close: '%}', first: true }],
      strings: [makeDoublingForm('"'), makeDoublingForm("'", { not_after_word: true })],
    },
  },
  {
    name: 'mojo',
    display: 'Mojo',
    extensions: ['mojo', '🔥'],
    lexis: { line: [hash], strings: [tripleDouble, tripleSingle, double, single] },
  },
  {
    name: 'nasm',
    display: 'Assembly (Intel syntax)',
    extensions: ['asm', 'nasm', 'masm', 'a51'],
    lexis: { line: [semicolon], strings: [{ open: '"' }, { open: "'" }] },
  },
  {
    name: 'nim',
    display: 'Nim',
    interpreters: ['nim'],
    lexis: {
      line: [hash],
      block: [
        { open: '##[', close: ']##', nested: true },
        { open: '#[', close: ']#', nested: true },
      ],
      strings: [
        { open: '"""', multiline: true },
        makeDoublingForm('"', { tagged: true }),
        double,
        makeQuotedForm("'", { char: true, not_in_number: true }),
      ],
    },
  },
  {
    name: 'objectivec',
    display: 'Objective-C',
    extensions: ['m', 'mm'],
    aliases: ['objc', 'objective-c'],
    lexis: { ...cLike, line: [{ ...slashes, continued: true }] },
  },
  {
    name: 'odin',
    display: 'Odin',
    extensions: ['odin'],
    lexis: { line: [slashes], block: [nestedSlashStar], strings: [double, single, { open: '`', multiline: true }] },
  },
  {
    name: 'pascal',
    display: 'Pascal',
    extensions: ['dpk', 'lfm'],
    aliases: ['delphi'],
    lexis: {
      line: [slashes],
      block: [
        { open: '{', close: '}' },
        { open: '(*', close: '*)' },
      ],
      strings: [makeDoublingForm("'")],
    },
  },
  {
    name: 'r',
    display: 'R',
    extensions: ['r', 'rprofile'],
    interpreters: ['rscript', 'r', 'littler'],
    lexis: {
      line: [hash],
      strings: [
        { open: '"(', close: ')"', prefix: ['r'], multiline: true },
        { open: "'(", close: ")'", prefix: ['r'], multiline: true },
        doubleLines,
        singleLines,
      ],
    },
  },
  {
    name: 'smalltalk',
    display: 'Smalltalk',
    extensions: ['st'],
    interpreters: ['gst'],
    lexis: { block: [{ open: '"', close: '"' }], strings: [makeDoublingForm("'", { multiline: true })] },
  },
  { name: 'solidity', display: 'Solidity', extensions: ['sol'], lexis: cLike },
  {
    name: 'vala',
    display: 'Vala',
    lexis: { line: [slashes], block: [slashStar], strings: [{ open: '"""', multiline: true }, double, single] },
  },
  {
    name: 'vb',
    display: 'Visual Basic',
    extensions: ['vb', 'bas', 'frm', 'vbs', 'vba', 'ctl'],
    aliases: ['vbnet', 'basic'],
    lexis: basic,
  },
  {
    name: 'vyper',
    display: 'Vyper',
    lexis: { line: [hash], strings: [tripleDouble, tripleSingle, double, single] },
  },
  {
    name: 'webassembly',
    display: 'WebAssembly text',
    extensions: ['wat', 'wast'],
    lexis: { line: [{ open: ';;' }], block: [{ open: '(;', close: ';)', nested: true }], strings: [double] },
  },
  {
    name: 'zig',
    display: 'Zig',
    extensions: ['zon'],
    lexis: { line: [slashes], strings: [{ open: '\\\\', close: '\n' }, double, single] },
  },
]
