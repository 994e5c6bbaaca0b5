import {
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
  parenStar,
  shellHash,
  single,
  singleLines,
  slashes,
  slashStar,
  tripleDouble,
  tripleSingle,
} from './forms.ts'
import type { Language } from './language.ts'

const groovyStrings = [
  { ...tripleDouble, interpolations: [dollarBrace] },
  tripleSingle,
  { ...double, interpolations: [dollarBrace] },
  single,
]

/** Scripting languages, shells and the languages of one product. */
export const SCRIPTING: readonly Language[] = [
  {
    name: 'abap',
    display: 'ABAP',
    lexis: {
      line: [{ open: '"' }, { open: '*', column: 1 }],
      strings: [
        makeDoublingForm("'"),
        { open: '`', doubled: true },
        makeQuotedForm('|', { interpolations: [{ open: '{', close: '}' }] }),
      ],
    },
  },
  { name: 'actionscript', display: 'ActionScript', extensions: ['as'], lexis: cLike },
  { name: 'apex', display: 'Apex', extensions: ['cls', 'trigger'], lexis: cLike },
  {
    name: 'applescript',
    display: 'AppleScript',
    lexis: { line: [dashes, hash], block: [parenStar], strings: [doubleLines] },
  },
  {
    name: 'autohotkey',
    display: 'AutoHotkey',
    lexis: {
      line: [{ open: ';', after: ' \t' }],
      block: [{ ...slashStar, first: true }],
      strings: [makeDoublingForm('"')],
    },
  },
  {
    name: 'awk',
    display: 'AWK',
    lexis: { line: [hash], strings: [double] },
  },
  {
    name: 'batch',
    display: 'Batch file',
    extensions: ['bat', 'cmd'],
    aliases: ['bat', 'dosbatch'],
    lexis: {
      line: [
        { open: 'rem', word: true, after: ' \t@&|(' },
        { open: '::', first: true },
      ],
      strings: [{ open: '"' }],
    },
  },
  {
    name: 'coffeescript',
    display: 'CoffeeScript',
    extensions: ['litcoffee'],
    lexis: {
      line: [hash],
      block: [{ open: '###', close: '###', not_before: '#' }],
      strings: [
        { ...tripleDouble, interpolations: [hashBrace] },
        tripleSingle,
        { ...doubleLines, interpolations: [hashBrace] },
        singleLines,
      ],
    },
  },
  {
    name: 'csh',
    display: 'C shell',
    files: ['.cshrc', '.tcshrc', '.login'],
    lexis: { line: [shellHash], strings: [double, { open: "'" }], escape: '\\', quirks: ['shell_heredocs'] },
  },
  {
    name: 'fish',
    display: 'fish',
    lexis: {
      line: [shellHash],
      strings: [{ ...doubleLines, interpolations: [dollarParen] }, singleLines],
      escape: '\\',
    },
  },
  {
    name: 'forth',
    display: 'Forth',
    lexis: { line: [{ open: '\\', after: ' \t', not_before: '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~' }] },
  },
  {
    name: 'gdscript',
    display: 'GDScript',
    extensions: ['gd'],
    lexis: { line: [hash], strings: [tripleDouble, tripleSingle, double, single] },
  },
  {
    name: 'groovy',
    display: 'Groovy',
    extensions: ['gradle', 'gy', 'gsh', 'nf', 'jenkinsfile'],
    stems: ['Jenkinsfile'],
    interpreters: ['nextflow'],
    lexis: { line: [slashes, { open: '#!', column: 1 }], block: [slashStar], strings: groovyStrings },
  },
  {
    name: 'hack',
    display: 'Hack',
    interpreters: ['hhvm'],
    lexis: {
      line: [slashes, { open: '#', not_before: '[' }],
      block: [slashStar],
      strings: [doubleLines, singleLines],
      quirks: ['php_heredocs'],
    },
  },
  {
    name: 'nushell',
    display: 'Nushell',
    extensions: ['nu'],
    lexis: { line: [shellHash], strings: [doubleLines, { open: "'", multiline: true }, { open: '`' }] },
  },
  {
    name: 'perl',
    display: 'Perl',
    extensions: ['pl', 'pm', 'pod', 't', 'al', 'xs'],
    files: ['Build.PL'],
    interpreters: ['perl', 'plackup'],
    aliases: ['cperl'],
    lexis: {
      line: [{ open: '#', not_after: '$@&' }],
      strings: [doubleLines, singleLines, makeQuotedForm('`', { multiline: true })],
      quirks: ['pod', 'perl_quotes', 'shell_heredocs', 'end_marker'],
    },
  },
  {
    name: 'powershell',
    display: 'PowerShell',
    interpreters: ['powershell'],
    aliases: ['ps1'],
    lexis: {
      line: [{ open: '#', after: ' \t;({|,})' }],
      block: [{ open: '<#', close: '#>' }],
      strings: [
        { open: '@"', close: '"@', close_first: true, multiline: true, interpolations: [dollarParen] },
        { open: "@'", close: "'@", close_first: true, multiline: true },
        { open: '"', escape: '`', doubled: true, multiline: true, interpolations: [dollarParen] },
        makeDoublingForm("'", { multiline: true }),
      ],
      escape: '`',
    },
  },
  {
    name: 'sed',
    display: 'sed',
    lexis: { line: [{ open: '#', first: true }] },
  },
  {
    name: 'tcl',
    display: 'Tcl',
    extensions: ['tk', 'exp', 'itcl'],
    interpreters: ['expect'],
    lexis: {
      line: [{ open: '#', first: true, continued: true }, { open: '#', after: ';' }, { open: ';#' }],
      strings: [doubleLines],
      escape: '\\',
    },
  },
  {
    name: 'vim',
    display: 'Vim script',
    interpreters: ['vim', 'nvim'],
    aliases: ['viml'],
    lexis: { line: [{ open: '"', first: true }], strings: [double, makeDoublingForm("'")] },
  },
]
