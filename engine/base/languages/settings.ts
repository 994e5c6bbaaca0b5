import {
  cLike,
  dollarBrace,
  double,
  doubleLines,
  firstHash,
  hash,
  hashLike,
  makeQuotedForm,
  single,
  slashes,
  slashStar,
  spacedHash,
  tripleDouble,
  tripleSingle,
} from './forms.ts'
import type { Language } from './language.ts'

/** Data, configuration, infrastructure and policy. */
export const SETTINGS: readonly Language[] = [
  {
    name: 'apache',
    display: 'Apache configuration',
    extensions: ['htaccess'],
    files: ['.htaccess', 'httpd.conf', 'apache2.conf'],
    lexis: { line: [firstHash], strings: [double, single] },
  },
  {
    name: 'bicep',
    display: 'Bicep',
    lexis: {
      line: [slashes],
      block: [slashStar],
      strings: [{ open: "'''", multiline: true }, makeQuotedForm("'", { interpolations: [dollarBrace] })],
    },
  },
  {
    name: 'conf',
    display: 'Configuration file',
    extensions: ['conf', 'cnf', 'rc', 'service', 'socket', 'timer', 'desktop'],
    lexis: {
      line: [
        { open: '#', after: ' \t' },
        { open: ';', first: true },
      ],
      strings: [double],
    },
  },
  { name: 'csv', display: 'CSV', extensions: ['tsv'] },
  {
    name: 'cue',
    display: 'CUE',
    extensions: ['cue'],
    lexis: { line: [slashes], strings: [tripleDouble, tripleSingle, double, single] },
  },
  {
    name: 'dockerfile',
    display: 'Dockerfile',
    files: ['dockerfile'],
    stems: ['Dockerfile', 'Containerfile'],
    lexis: { line: [firstHash], strings: [double, { open: "'" }] },
  },
  {
    name: 'dotenv',
    display: 'Environment file',
    extensions: ['env'],
    files: ['.env', '.flaskenv'],
    stems: ['.env'],
    lexis: { line: [spacedHash], strings: [doubleLines, { open: "'", multiline: true }] },
  },
  {
    name: 'graphql',
    display: 'GraphQL',
    lexis: { line: [hash], strings: [tripleDouble, double] },
  },
  { name: 'graphviz', display: 'Graphviz', lexis: { ...cLike, line: [slashes, firstHash] } },
  {
    name: 'hcl',
    display: 'HCL',
    extensions: ['tf.json', 'tofu.json'],
    aliases: ['terraform'],
    lexis: {
      line: [hash, slashes],
      block: [slashStar],
      strings: [makeQuotedForm('"', { interpolations: [dollarBrace] })],
      quirks: ['shell_heredocs'],
    },
  },
  {
    name: 'ignore',
    display: 'Ignore list',
    extensions: ['dockerignore'],
    files: ['.gitattributes', '.helmignore', 'CODEOWNERS'],
    lexis: { line: [firstHash] },
  },
  {
    name: 'ini',
    display: 'INI',
    extensions: ['cfg', 'inf', 'reg', 'editorconfig'],
    files: ['.editorconfig', '.gitconfig', '.gitmodules', '.npmrc', '.pypirc', '.netrc', '.my.cnf'],
    lexis: { line: [firstHash, { open: ';', first: true }] },
  },
  {
    name: 'jsonnet',
    display: 'Jsonnet',
    lexis: {
      line: [slashes, hash],
      block: [slashStar],
      strings: [{ open: '|||', multiline: true }, doubleLines, makeQuotedForm("'", { multiline: true })],
    },
  },
  {
    name: 'nginx',
    display: 'nginx',
    extensions: ['vhost'],
    lexis: { line: [{ open: '#', after: ' \t;{}' }], strings: [doubleLines, makeQuotedForm("'", { multiline: true })] },
  },
  {
    name: 'nix',
    display: 'Nix',
    lexis: {
      line: [hash],
      block: [slashStar],
      strings: [
        { ...doubleLines, interpolations: [dollarBrace] },
        { open: "''", close: "''", multiline: true, interpolations: [dollarBrace] },
      ],
    },
  },
  {
    name: 'properties',
    display: 'Properties',
    extensions: ['properties'],
    lexis: { line: [firstHash, { open: '!', first: true }] },
  },
  { name: 'protobuf', display: 'Protocol Buffers', extensions: ['proto', 'textproto', 'pbtxt'], lexis: { ...cLike } },
  {
    name: 'puppet',
    display: 'Puppet',
    extensions: ['pp'],
    lexis: {
      line: [hash],
      strings: [{ ...doubleLines, interpolations: [dollarBrace] }, makeQuotedForm("'", { multiline: true })],
    },
  },
  {
    name: 'rego',
    display: 'Rego',
    lexis: { line: [hash], strings: [double, { open: '`', multiline: true }] },
  },
  { name: 'thrift', display: 'Thrift', lexis: { ...cLike, line: [slashes, hash] } },
  {
    name: 'yang',
    display: 'YANG',
    lexis: {
      ...hashLike,
      line: [slashes],
      block: [slashStar],
      strings: [doubleLines, makeQuotedForm("'", { multiline: true })],
    },
  },
]
