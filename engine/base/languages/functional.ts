import {
  charTick,
  dashes,
  double,
  doubleLines,
  hashBars,
  makeDoublingForm,
  makeQuotedForm,
  nestedSlashStar,
  parenStar,
  percent,
  semicolon,
  single,
  slashes,
  slashStar,
  tripleDouble,
} from './forms.ts'
import type { Language, Lexis } from './language.ts'

const lisp: Lexis = { line: [semicolon], block: [hashBars], strings: [doubleLines], escape: '\\' }
const haskellLine = { open: '--', not_before: '!#$%&*+./<=>?@\\^|~:' }
const smlStrings: Lexis = { block: [parenStar], strings: [doubleLines, charTick] }

/** Functional and logic languages, and the Lisps. */
export const FUNCTIONAL: readonly Language[] = [
  {
    name: 'agda',
    display: 'Agda',
    lexis: { line: [dashes], block: [{ open: '{-', close: '-}', nested: true }], strings: [double] },
  },
  {
    name: 'clojure',
    display: 'Clojure',
    extensions: ['edn'],
    interpreters: ['clojure', 'clj'],
    lexis: { line: [semicolon], strings: [doubleLines], escape: '\\' },
  },
  {
    name: 'commonlisp',
    display: 'Common Lisp',
    extensions: ['lisp', 'lsp', 'ros', 'cl'],
    aliases: ['lisp', 'common-lisp'],
    lexis: lisp,
  },
  {
    name: 'dhall',
    display: 'Dhall',
    lexis: {
      line: [{ open: '--' }],
      block: [{ open: '{-', close: '-}', nested: true }],
      strings: [double, { open: "''", close: "''", multiline: true }],
    },
  },
  {
    name: 'elisp',
    display: 'Emacs Lisp',
    interpreters: ['emacs'],
    aliases: ['emacs-lisp'],
    lexis: { line: [semicolon], strings: [doubleLines], escape: '\\?' },
  },
  {
    name: 'elm',
    display: 'Elm',
    lexis: {
      line: [dashes],
      block: [{ open: '{-', close: '-}', nested: true }],
      strings: [tripleDouble, double, charTick],
    },
  },
  {
    name: 'erlang',
    display: 'Erlang',
    lexis: { line: [percent], strings: [tripleDouble, doubleLines, single], quirks: ['erlang_chars'] },
  },
  {
    name: 'fsharp',
    display: 'F#',
    extensions: ['fs', 'fsscript'],
    aliases: ['f#'],
    lexis: {
      line: [slashes],
      block: [{ ...parenStar, not_before: ')' }],
      strings: [
        { open: '"""', multiline: true },
        makeDoublingForm('@"', { close: '"', multiline: true }),
        makeQuotedForm('$"', {
          close: '"',
          multiline: true,
          interpolations: [{ open: '{', close: '}', doubled: true }],
        }),
        doubleLines,
        charTick,
      ],
    },
  },
  { name: 'gleam', display: 'Gleam', lexis: { line: [slashes], strings: [doubleLines] } },
  {
    name: 'haskell',
    display: 'Haskell',
    extensions: ['lhs', 'cabal'],
    interpreters: ['stack'],
    lexis: {
      line: [haskellLine],
      block: [{ open: '{-', close: '-}', nested: true }],
      strings: [double, makeQuotedForm("'", { char: true, not_after_word: true })],
    },
  },
  {
    name: 'idris',
    display: 'Idris',
    extensions: ['ipkg'],
    lexis: {
      line: [haskellLine],
      block: [{ open: '{-', close: '-}', nested: true }],
      strings: [tripleDouble, double, charTick],
    },
  },
  {
    name: 'ocaml',
    display: 'OCaml',
    extensions: ['ml'],
    interpreters: ['ocaml'],
    aliases: ['tuareg'],
    lexis: { block: [parenStar], strings: [doubleLines, { open: '{|', close: '|}', multiline: true }, charTick] },
  },
  {
    name: 'prolog',
    display: 'Prolog',
    extensions: ['plt', 'pro'],
    lexis: { line: [percent], block: [slashStar], strings: [double, single] },
  },
  {
    name: 'purescript',
    display: 'PureScript',
    lexis: {
      line: [haskellLine],
      block: [{ open: '{-', close: '-}', nested: true }],
      strings: [{ open: '"""', multiline: true }, double, makeQuotedForm("'", { char: true, not_after_word: true })],
    },
  },
  {
    name: 'racket',
    display: 'Racket',
    lexis: lisp,
  },
  {
    name: 'reason',
    display: 'Reason',
    extensions: ['re', 'res', 'resi'],
    aliases: ['rescript'],
    lexis: {
      line: [slashes],
      block: [nestedSlashStar],
      strings: [doubleLines, { open: '`', multiline: true }, charTick],
    },
  },
  {
    name: 'scheme',
    display: 'Scheme',
    extensions: ['scm', 'sls'],
    interpreters: ['chibi-scheme'],
    lexis: lisp,
  },
  {
    name: 'standardml',
    display: 'Standard ML',
    aliases: ['sml'],
    lexis: smlStrings,
  },
]
