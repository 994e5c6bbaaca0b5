import { describe, expect, test } from 'vitest'
import { detectLanguage, LANGUAGES } from '../../../engine/base/languages/languages.ts'
import { countLines } from '../../../engine/detect/lines/count.ts'
import fc from '../../made/property.ts'

/** A promise, a file's name, and its lines: behind the bar the line, before it what it is (`c`ode, comment `#`, blank `_`). */
type Case = [promise: string, file: string, ...lines: string[]]

const CASES: Case[] = [
  [
    'a docstring is code, its blank lines too',
    'a.py',
    'c|def f():',
    'c|    """Text.',
    'c|',
    'c|    # more',
    'c|    """',
    '_|',
    '#|# end',
  ],
  ['a line of white space is blank', 'a.go', 'c|package a', '_|   \t', '#|// b'],
  [
    'a heredoc of a shell is code',
    'a.sh',
    '#|#!/bin/sh',
    'c|cat <<EOF',
    'c|# not a comment',
    'c|',
    'c|EOF',
    '#|# a comment',
  ],
  ['a quoted heredoc too', 'a.bash', "c|cat <<-'END'", 'c|# text', 'c|\tEND', '#|# c'],
  ['a parameter expansion has no comment', 'a.sh', 'c|echo ${#a} ${a#b} $#', '#|# c'],
  ['a heredoc of Ruby is code', 'a.rb', 'c|a = <<~SQL', 'c|  # select', 'c|SQL', '#|# c'],
  ['a block comment of Ruby spans blank lines', 'a.rb', '#|=begin', '#|', '#|text', '#|=end', 'c|x = 1'],
  ['what follows __END__ is no program', 'a.rb', 'c|x = 1', '#|__END__', '#|x = 2'],
  ['a percent literal of Ruby hides a hash', 'a.rb', 'c|a = %w(b # c)', '#|# d'],
  [
    'a documentation block of Perl is a comment',
    'a.pl',
    'c|my $x = 1;',
    '#|=head1 NAME',
    '#|',
    '#|text',
    '#|=cut',
    'c|print $x;',
  ],
  ['the last index of a list of Perl begins no comment', 'a.pl', 'c|print $#list;', '#|# c'],
  ['comments of OCaml nest', 'a.ml', '#|(* a (* b *)', '#|c *)', 'c|let x = 1'],
  ['block comments of Kotlin nest', 'a.kt', '#|/* a /* b */', '#|*/', 'c|val x = 1'],
  ['block comments of Java do not', 'a.java', '#|/* a /* b */', 'c|class A {}', '#|// c'],
  ['a raw string of Kotlin spans lines', 'a.kt', 'c|val a = """', 'c|// text', 'c|"""', '#|// c'],
  ['a text block of Java is code', 'a.java', 'c|String a = """', 'c|  /* text', 'c|  """;', '#|/* c */'],
  ['a raw string of Go spans lines', 'a.go', 'c|var a = `', 'c|// text', 'c|', 'c|`', '#|// c'],
  ['a template of JavaScript spans lines', 'a.js', 'c|const a = `', 'c|// text ${b /* c */}', 'c|`', '#|// d'],
  ['a regular expression of JavaScript holds a quote', 'a.js', 'c|const a = /"/', '#|// b'],
  ['a division is no regular expression', 'a.ts', 'c|const a = b / c', '#|// d / e'],
  ['a comment in the code of a template is one', 'a.ts', 'c|const a = `${', '#|  // b', 'c|  c}`', '#|// d'],
  ['an f-string may hold the quote that it is in', 'a.py', 'c|a = f"{b["c"]} # d"', '#|# e'],
  ['dollar quotes of Lisp do not exist: a character may be a quote', 'a.lisp', 'c|(list #\\" #\\;)', '#|; c'],
  ['a block comment of Lisp nests', 'a.scm', '#|#| a #| b |#', '#||#', 'c|(define x 1)'],
  [
    'a here string of PowerShell ends at the beginning of a line',
    'a.ps1',
    'c|$a = @"',
    'c|# text "@',
    'c|"@',
    '#|<# c',
    '#|#>',
  ],
  ['a long comment of Lua', 'a.lua', '#|--[[ a', '#|', '#|]]', 'c|local x = [[', 'c|-- text', 'c|]]', '#|-- c'],
  ['a multi-line string of Swift', 'a.swift', 'c|let a = """', 'c|  // text', 'c|  """', '#|/* /* b */', '#|*/'],
  ['a raw string of Swift keeps its quotes', 'a.swift', 'c|let a = #"b " // c"#', '#|// d'],
  ['a raw string of C# with three quotes', 'a.cs', 'c|var a = """', 'c|  // "text"', 'c|  """;', '#|/// c'],
  ['a digit separator is no quote', 'a.cpp', "c|int a = 1'000'000;", '#|// b'],
  ['a heredoc of PHP is code', 'a.php', 'c|<?php', 'c|$a = <<<EOT', 'c|# text', 'c|EOT;', '#|# c', '#|// d'],
  ['a sigil of Elixir hides a hash', 'a.ex', 'c|a = ~r/#/', '#|# b', 'c|@doc """', 'c|# text', 'c|"""'],
  ['a block of Julia', 'a.jl', '#|#= a', '#|#= b =# c', '#|=#', 'c|x = "#"'],
  ['a comment of SQL', 'a.sql', '#|-- a', '#|/* b', '#|*/', "c|select '--' from t", "c|where a = 'it''s' -- c"],
  ['a heredoc of Terraform is code', 'a.tf', 'c|a = <<-EOT', 'c|  # text', 'c|EOT', '#|# b', '#|// c', '#|/* d */'],
  ['a block scalar of YAML is a string', 'a.yaml', 'c|a: |', 'c|  # text', 'c|', 'c|  b', '#|# c', "c|d: 'e # f'"],
  ['a comment of TOML', 'a.toml', 'c|a = "#"', 'c|b = """', 'c|# text', 'c|"""', '#|# c'],
  ['JSON has no comment', 'a.json', 'c|{"a": "//"}', '_|'],
  ['a comment of CSS', 'a.css', '#|/* a', '#|*/', 'c|b { content: "/*" }'],
  ['a comment of XML', 'a.xml', 'c|<a>', '#|<!-- b', '#|', '#|-->', 'c|</a>'],
  ['a comment of Dockerfile', 'Dockerfile', '#|# a', 'c|RUN b # c', 'c|CMD d'],
  ['a recipe of make', 'Makefile', '#|# a', 'c|b: c', 'c|\techo d'],
  ['the last line may lack its end', 'a.c', 'c|int a;', '#|// b'],
]

const KINDS = { c: 'code', '#': 'comment', _: 'blank' } as const

describe('counting lines', () => {
  test.each(CASES)('%s (%s)', (promise, file, ...lines) => {
    const text = lines.map(line => line.slice(2)).join('\n') + (promise.startsWith('the last line') ? '' : '\n')
    const expected = { lines: lines.length, code: 0, comment: 0, blank: 0 }
    for (const line of lines) expected[KINDS[line[0] as keyof typeof KINDS]]++
    const { embedded: _, ...counts } = countLines(detectLanguage(file)!, text)
    expect(counts).toEqual(expected)
  })

  test('each line is of one kind, in any language and any text', () => {
    const pieces = [
      '"',
      "'",
      '`',
      '/*',
      '*/',
      '//',
      '#',
      '\n',
      '<script>',
      '</script>',
      '<?php',
      '?>',
      '"""',
      '```js\n',
      'a',
      ' ',
      '\\',
      '|\n  ',
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...LANGUAGES.keys()),
        fc.array(fc.constantFrom(...pieces), { maxLength: 40 }),
        (language, parts) => {
          const text = parts.join('')
          const { lines, code, comment, blank, embedded } = countLines(language, text)
          expect(code + comment + blank).toBe(lines)
          expect(lines).toBe(text.split('\n').length - (text === '' || text.endsWith('\n') ? 1 : 0))
          const inside = [...embedded.values()].reduce((sum, counts) => sum + counts.lines, 0)
          expect(inside).toBeLessThanOrEqual(lines)
        },
      ),
      { numRuns: 2000 },
    )
  })
})

describe('counting lines of a language inside another one', () => {
  const embedded = (file: string, ...lines: string[]) =>
    Object.fromEntries(
      [...countLines(detectLanguage(file)!, `${lines.join('\n')}\n`).embedded].map(
        ([language, { lines: _, ...counts }]) => [language, counts],
      ),
    )

  test('a script of a page is of the language that its type or lang names', () => {
    expect(embedded('a.html', '<script type="application/ld+json">', '{}', '</script>')).toEqual({
      json: { code: 1, comment: 0, blank: 0 },
    })
    expect(embedded('a.svelte', "<script lang='ts'>", '// a', '', 'let b', '</script>')).toEqual({
      typescript: { code: 1, comment: 1, blank: 1 },
    })
    expect(embedded('a.html', '<script type="text/unheard-of">', '// a', '</script>')).toEqual({})
  })

  test('a tag in an attribute or a comment opens nothing', () => {
    expect(embedded('a.html', '<a b="<script>">', '// text', '</a>', '<!--', '<style>', '-->')).toEqual({})
  })

  test('a script on the line of its tags belongs to the page', () => {
    expect(embedded('a.html', '<script>a()</script>', '<p>')).toEqual({})
  })

  test('a page around PHP is HTML, its scripts read across the code', () => {
    const page = ['<script>', '/* a', '<?php', '// b', 'c() ?>', '*/', '</script>', '<p>']
    expect(embedded('a.php', ...page)).toEqual({
      html: { code: 3, comment: 0, blank: 0 },
      javascript: { code: 0, comment: 2, blank: 0 },
    })
  })

  test('a fence of Markdown is of the language that it names', () => {
    expect(embedded('a.md', 'text', '```python', '# a', 'b', '```', '~~~', '# c', '~~~')).toEqual({
      python: { code: 1, comment: 1, blank: 0 },
    })
  })

  test('front matter of Astro is TypeScript', () => {
    expect(embedded('a.astro', '---', '// a', '---', '<p>')).toEqual({ typescript: { code: 0, comment: 1, blank: 0 } })
  })
})
