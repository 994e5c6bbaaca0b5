import {
  charTick,
  dashes,
  double,
  doubleLines,
  doubling,
  hashBars,
  nestedSlashStar,
  parenStar,
  percent,
  quoted,
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
    extensions: ['agda'],
    lexis: { line: [dashes], block: [{ open: '{-', close: '-}', nested: true }], strings: [double] },
  },
  {
    name: 'clojure',
    display: 'Clojure',
    extensions: ['clj', 'cljs', 'cljc', 'cljx', 'edn', 'boot'],
    interpreters: ['bb', 'clojure', 'clj'],
    lexis: { line: [semicolon], strings: [doubleLines], escape: '\\' },
  },
  {
    name: 'commonlisp',
    display: 'Common Lisp',
    extensions: ['lisp', 'lsp', 'asd', 'ros', 'cl'],
    interpreters: ['sbcl', 'clisp', 'ecl'],
    aliases: ['lisp', 'common-lisp'],
    lexis: lisp,
  },
  {
    name: 'dhall',
    display: 'Dhall',
    extensions: ['dhall'],
    lexis: {
      line: [{ open: '--' }],
      block: [{ open: '{-', close: '-}', nested: true }],
      strings: [double, { open: "''", close: "''", multiline: true }],
    },
  },
  {
    name: 'elisp',
    display: 'Emacs Lisp',
    extensions: ['el'],
    files: ['.emacs', '.spacemacs', 'Cask'],
    interpreters: ['emacs'],
    aliases: ['emacs-lisp'],
    lexis: { line: [semicolon], strings: [doubleLines], escape: '\\?' },
  },
  {
    name: 'elm',
    display: 'Elm',
    extensions: ['elm'],
    lexis: {
      line: [dashes],
      block: [{ open: '{-', close: '-}', nested: true }],
      strings: [tripleDouble, double, charTick],
    },
  },
  {
    name: 'erlang',
    display: 'Erlang',
    extensions: ['erl', 'hrl', 'escript', 'xrl', 'yrl', 'app.src'],
    files: ['rebar.config', 'rebar.lock', 'Emakefile'],
    interpreters: ['escript'],
    lexis: { line: [percent], strings: [tripleDouble, doubleLines, single], quirks: ['erlang_chars'] },
  },
  {
    name: 'fsharp',
    display: 'F#',
    extensions: ['fs', 'fsi', 'fsx', 'fsscript'],
    aliases: ['f#'],
    lexis: {
      line: [slashes],
      block: [{ ...parenStar, not_before: ')' }],
      strings: [
        { open: '"""', multiline: true },
        doubling('@"', { close: '"', multiline: true }),
        quoted('$"', { close: '"', multiline: true, interpolations: [{ open: '{', close: '}', doubled: true }] }),
        doubleLines,
        charTick,
      ],
    },
  },
  { name: 'gleam', display: 'Gleam', extensions: ['gleam'], lexis: { line: [slashes], strings: [doubleLines] } },
  {
    name: 'haskell',
    display: 'Haskell',
    extensions: ['hs', 'hsc', 'hs-boot', 'lhs', 'cabal'],
    interpreters: ['runhaskell', 'runghc', 'stack'],
    lexis: {
      line: [haskellLine],
      block: [{ open: '{-', close: '-}', nested: true }],
      strings: [double, quoted("'", { char: true, not_after_word: true })],
    },
  },
  {
    name: 'idris',
    display: 'Idris',
    extensions: ['idr', 'ipkg'],
    lexis: {
      line: [haskellLine],
      block: [{ open: '{-', close: '-}', nested: true }],
      strings: [tripleDouble, double, charTick],
    },
  },
  {
    name: 'ocaml',
    display: 'OCaml',
    extensions: ['ml', 'mli', 'eliom', 'mll', 'mly'],
    interpreters: ['ocaml', 'ocamlrun'],
    aliases: ['tuareg'],
    lexis: { block: [parenStar], strings: [doubleLines, { open: '{|', close: '|}', multiline: true }, charTick] },
  },
  {
    name: 'prolog',
    display: 'Prolog',
    extensions: ['prolog', 'plt', 'yap', 'pro'],
    interpreters: ['swipl', 'yap'],
    lexis: { line: [percent], block: [slashStar], strings: [double, single] },
  },
  {
    name: 'purescript',
    display: 'PureScript',
    extensions: ['purs'],
    lexis: {
      line: [haskellLine],
      block: [{ open: '{-', close: '-}', nested: true }],
      strings: [{ open: '"""', multiline: true }, double, quoted("'", { char: true, not_after_word: true })],
    },
  },
  {
    name: 'racket',
    display: 'Racket',
    extensions: ['rkt', 'rktl', 'rktd', 'scrbl'],
    interpreters: ['racket'],
    lexis: lisp,
  },
  {
    name: 'reason',
    display: 'Reason',
    extensions: ['re', 'rei', 'res', 'resi'],
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
    extensions: ['scm', 'ss', 'sld', 'sls', 'sps'],
    interpreters: ['guile', 'chibi-scheme', 'csi', 'gosh', 'scheme'],
    lexis: lisp,
  },
  {
    name: 'standardml',
    display: 'Standard ML',
    extensions: ['sml', 'sig', 'fun'],
    aliases: ['sml'],
    lexis: smlStrings,
  },
]
