import { double, markup, markupLike, single, slashes, slashStar } from './forms.ts'
import type { Language, Lexis } from './language.ts'

const styles: Lexis = {
  // Not the `//` of an address in url().
  line: [{ ...slashes, not_after: ':' }],
  block: [slashStar],
  strings: [double, single],
}
const embedded: Lexis = { block: [markup], quirks: ['html_embedded'], counted: ['html_tags'] }

/** Text, markup, styles, templates and components. */
export const MARKUP: readonly Language[] = [
  {
    name: 'asciidoc',
    display: 'AsciiDoc',
    lexis: { line: [{ open: '//', column: 1 }] },
  },
  { name: 'bibtex', display: 'BibTeX', lexis: { line: [{ open: '%' }] } },
  { name: 'diff', display: 'Diff' },
  {
    name: 'latex',
    display: 'LaTeX',
    extensions: ['tex', 'sty', 'ltx', 'dtx', 'latex'],
    aliases: ['tex'],
    lexis: { line: [{ open: '%' }], escape: '\\' },
  },
  {
    name: 'markdown',
    display: 'Markdown',
    extensions: ['md', 'mdx', 'rmd', 'qmd'],
    lexis: { ...markupLike, counted: ['markdown_fences'] },
  },
  { name: 'org', display: 'Org', lexis: { line: [{ open: '# ', first: true }] } },
  { name: 'rst', display: 'reStructuredText' },
  {
    name: 'text',
    display: 'Text',
    extensions: ['txt', 'text', 'log'],
    files: ['README', 'NOTICE', 'AUTHORS', 'CHANGELOG', 'TODO', 'VERSION', 'MAINTAINERS', 'CREDITS', 'CONTRIBUTORS'],
  },
  {
    name: 'xml',
    display: 'XML',
    extensions: ['xsl', 'xslt', 'svg', 'plist', 'atom', 'config', 'pom', 'qrc'],
    lexis: markupLike,
  },
  { name: 'less', display: 'Less', lexis: styles },
  { name: 'sass', display: 'Sass', lexis: styles },
  { name: 'scss', display: 'SCSS', lexis: styles },
  { name: 'stylus', display: 'Stylus', lexis: styles },
  {
    name: 'aspx',
    display: 'ASP.NET',
    extensions: ['asp', 'master'],
    lexis: { block: [{ open: '<%--', close: '--%>' }, markup], quirks: ['html_embedded'], counted: ['html_tags'] },
  },
  { name: 'astro', display: 'Astro', lexis: { ...embedded, counted: ['front_matter', 'html_tags'] } },
  {
    name: 'blade',
    display: 'Blade',
    lexis: { block: [{ open: '{{--', close: '--}}' }, markup], quirks: ['html_embedded'], counted: ['html_tags'] },
  },
  {
    name: 'coldfusion',
    display: 'ColdFusion',
    extensions: ['cfc'],
    lexis: { block: [{ open: '<!---', close: '--->', nested: true }, markup] },
  },
  {
    name: 'ejs',
    display: 'EJS',
    lexis: { block: [{ open: '<%#', close: '%>' }, markup], quirks: ['html_embedded'], counted: ['html_tags'] },
  },
  {
    name: 'erb',
    display: 'ERB',
    extensions: ['erb', 'rhtml'],
    lexis: { block: [{ open: '<%#', close: '%>' }, markup], quirks: ['html_embedded'], counted: ['html_tags'] },
  },
  {
    name: 'freemarker',
    display: 'FreeMarker',
    extensions: ['ftl'],
    lexis: { block: [{ open: '<#--', close: '-->' }, markup] },
  },
  { name: 'haml', display: 'Haml', lexis: { line: [{ open: '-#', first: true }] } },
  {
    name: 'handlebars',
    display: 'Handlebars',
    extensions: ['mustache'],
    lexis: {
      block: [{ open: '{{!--', close: '--}}' }, { open: '{{!', close: '}}' }, markup],
      quirks: ['html_embedded'],
      counted: ['html_tags'],
    },
  },
  {
    name: 'jinja',
    display: 'Jinja',
    lexis: { block: [{ open: '{#', close: '#}' }, markup] },
  },
  {
    name: 'jsp',
    display: 'JSP',
    extensions: ['jsp', 'jspx', 'jspf', 'tag'],
    lexis: { block: [{ open: '<%--', close: '--%>' }, markup], quirks: ['html_embedded'], counted: ['html_tags'] },
  },
  {
    name: 'liquid',
    display: 'Liquid',
    lexis: {
      block: [{ open: '{% comment %}', close: '{% endcomment %}' }, markup],
      quirks: ['html_embedded'],
      counted: ['html_tags'],
    },
  },
  { name: 'pug', display: 'Pug', lexis: { line: [{ open: '//', first: true }] } },
  {
    name: 'razor',
    display: 'Razor',
    extensions: ['cshtml', 'razor', 'vbhtml'],
    lexis: { block: [{ open: '@*', close: '*@' }, markup], quirks: ['html_embedded'], counted: ['html_tags'] },
  },
  { name: 'smarty', display: 'Smarty', extensions: ['tpl'], lexis: { block: [{ open: '{*', close: '*}' }, markup] } },
  { name: 'svelte', display: 'Svelte', lexis: embedded },
  {
    name: 'twig',
    display: 'Twig',
    lexis: { block: [{ open: '{#', close: '#}' }, markup], quirks: ['html_embedded'], counted: ['html_tags'] },
  },
  {
    name: 'velocity',
    display: 'Velocity',
    extensions: ['vm', 'vtl'],
    lexis: { line: [{ open: '##' }], block: [{ open: '#*', close: '*#' }] },
  },
  { name: 'vue', display: 'Vue', lexis: embedded },
]
