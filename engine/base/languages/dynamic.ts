import {
  dashes,
  dollarBrace,
  dollarParen,
  double,
  hash,
  hashBrace,
  makeDoublingForm,
  makeQuotedForm,
  markup,
  shellHash,
  single,
  singleLines,
  slashes,
  slashStar,
  spacedHash,
  tripleDouble,
  tripleSingle,
} from './forms.ts'
import type { Language, Lexis } from './language.ts'

/** Words that a string may touch, where white space is left out. */
const BEFORE_STRINGS: ReadonlySet<string> = new Set(
  (
    'as assert async await case default delete do else export extends from get import in instanceof is keyof module of readonly return ' +
    'satisfies set static throw typeof void with yield'
  ).split(' '),
)
const touching = { not_after_name: BEFORE_STRINGS }

const script: Lexis = {
  line: [slashes, { open: '#!', column: 1 }],
  block: [slashStar],
  strings: [
    makeQuotedForm('"', touching),
    makeQuotedForm("'", touching),
    makeQuotedForm('`', { multiline: true, interpolations: [dollarBrace] }),
  ],
  quirks: ['js_regex'],
}
const formatted = ['f', 'fr', 'rf', 't', 'tr', 'rt']
const braces = [{ open: '{', close: '}', doubled: true as const }]

/** Dynamic languages, the web's, and data formats for which ast-grep has a grammar. */
export const DYNAMIC: readonly Language[] = [
  {
    name: 'javascript',
    display: 'JavaScript',
    extensions: ['gs'],
    interpreters: ['node', 'bun'],
    aliases: ['js', 'js2', 'jsx', 'javascriptreact'],
    lexis: script,
  },
  {
    name: 'typescript',
    display: 'TypeScript',
    extensions: ['ts'],
    interpreters: ['deno'],
    lexis: script,
  },
  { name: 'tsx', display: 'TSX', extensions: ['tsx'], aliases: ['typescriptreact'], lexis: script },
  {
    name: 'html',
    display: 'HTML',
    extensions: ['html'],
    aliases: ['xhtml'],
    lexis: { block: [markup], quirks: ['html_embedded'], counted: ['html_tags'] },
  },
  {
    name: 'css',
    display: 'CSS',
    extensions: ['pcss', 'postcss'],
    lexis: { block: [slashStar], strings: [double, single] },
  },
  {
    name: 'php',
    display: 'PHP',
    extensions: ['php', 'php7', 'php8', 'phtml'],
    lexis: {
      line: [
        { ...slashes, until: '?>' },
        { open: '#', not_before: '[', until: '?>' },
      ],
      block: [slashStar],
      strings: [
        makeQuotedForm('"', { multiline: true, interpolations: [{ open: '{$', close: '}' }] }),
        singleLines,
        makeQuotedForm('`', { multiline: true }),
      ],
      quirks: ['php_tags', 'php_heredocs'],
    },
  },
  {
    name: 'python',
    display: 'Python',
    extensions: ['pyx', 'pxd'],
    files: ['Snakefile', '.pythonrc'],
    interpreters: ['pythonw'],
    aliases: ['py'],
    lexis: {
      line: [hash],
      strings: [
        { ...tripleDouble, prefix: formatted, interpolations: braces },
        { ...tripleSingle, prefix: formatted, interpolations: braces },
        { ...double, prefix: formatted, interpolations: braces },
        { ...single, prefix: formatted, interpolations: braces },
        tripleDouble,
        tripleSingle,
        double,
        single,
      ],
    },
  },
  {
    name: 'ruby',
    display: 'Ruby',
    files: ['rakefile'],
    aliases: ['rb'],
    lexis: {
      line: [hash],
      block: [{ open: '=begin', close: '\n=end', column: 1 }],
      strings: [
        makeQuotedForm('"', { multiline: true, interpolations: [hashBrace] }),
        singleLines,
        makeQuotedForm('`', { multiline: true, interpolations: [hashBrace] }),
      ],
      quirks: ['ruby_heredocs', 'ruby_percent', 'ruby_regex', 'ruby_chars', 'end_marker'],
    },
  },
  {
    name: 'lua',
    display: 'Lua',
    extensions: ['luau'],
    interpreters: ['lua', 'texlua', 'luau'],
    lexis: { line: [dashes], strings: [double, single], quirks: ['lua_brackets'] },
  },
  {
    name: 'elixir',
    display: 'Elixir',
    extensions: ['ex'],
    lexis: {
      line: [hash],
      strings: [
        makeQuotedForm('"""', { multiline: true, interpolations: [hashBrace] }),
        makeQuotedForm("'''", { multiline: true, interpolations: [hashBrace] }),
        makeQuotedForm('"', { multiline: true, interpolations: [hashBrace] }),
        makeQuotedForm("'", { multiline: true, interpolations: [hashBrace] }),
      ],
      quirks: ['elixir_sigils', 'ruby_chars'],
    },
  },
  {
    name: 'bash',
    display: 'Shell',
    extensions: ['ebuild', 'eclass'],
    files: ['.bash_login', 'APKBUILD', 'configure'],
    interpreters: ['rbash', 'bats', 'busybox', 'openrc-run'],
    aliases: ['shell', 'shell-script'],
    lexis: {
      line: [shellHash],
      strings: [
        makeQuotedForm('"', { multiline: true, interpolations: [dollarParen] }),
        makeQuotedForm("$'", { close: "'", multiline: true }),
        { open: "'", multiline: true },
      ],
      escape: '\\',
      quirks: ['shell_heredocs'],
    },
  },
  {
    name: 'sql',
    display: 'SQL',
    extensions: ['sql', 'ddl', 'dml', 'psql', 'pgsql', 'tsql', 'plsql', 'pls', 'pks', 'pkb', 'plb', 'hql'],
    interpreters: ['psql', 'sqlite'],
    aliases: ['plpgsql', 'mysql'],
    lexis: {
      line: [dashes],
      block: [slashStar],
      // A backslash escapes in MySQL only; the standard doubles the quote.
      strings: [makeDoublingForm("'", { multiline: true }), makeDoublingForm('"', { multiline: true })],
    },
  },
  {
    name: 'yaml',
    display: 'YAML',
    extensions: ['yaml', 'yml', 'yamllint'],
    files: ['.yamllint'],
    aliases: ['yml'],
    lexis: { line: [spacedHash], quirks: ['yaml_scalars'], counted: ['yaml_block_text'] },
  },
  {
    name: 'jupyter',
    display: 'Jupyter notebook',
    lexis: { line: [slashes], block: [slashStar], strings: [double] },
  },
  {
    name: 'json',
    display: 'JSON',
    // Comments are no JSON, but configuration files have them, and outside a string nothing else looks like one.
    extensions: ['json', 'jsonc', 'json5', 'ndjson', 'code-workspace', 'cdx'],
    files: ['.babelrc', '.eslintrc', '.prettierrc', '.stylelintrc', '.jshintrc', '.jscsrc', '.swcrc', '.firebaserc'],
    lexis: { line: [slashes], block: [slashStar], strings: [double] },
  },
  {
    name: 'toml',
    display: 'TOML',
    files: ['.taplo.toml'],
    lexis: {
      line: [hash],
      strings: [tripleDouble, { open: "'''", multiline: true }, double, { open: "'" }],
    },
  },
]
