import { describe, expect, test } from 'vitest'
import { lex, makeContextReader } from '../../../engine/detect/lexer/lexer.ts'

/** The comments (`#`) and strings (`"`) of a text, in order, as they are written. */
function parts(language: string, text: string): string[] {
  return lex(language, text)
    .spans()
    .map(({ start, end, context }) => `${context === 'comment' ? '#' : '"'} ${text.slice(start, end)}`)
}

type Case = [promise: string, language: string, text: string, expected: string[]]

const CASES: Record<string, Case[]> = {
  Python: [
    [
      'a hash in a triple-quoted string is no comment',
      'python',
      'x = """a # b\n"c" """ # d',
      ['" """a # b\n"c" """', '# # d'],
    ],
    ['a docstring is a string', 'python', "def f():\n    '''it's'''\n", ["\" '''it's'''"]],
    ['a raw string may hold an escaped quote', 'python', "r'\\'#' # c", ["\" '\\'#'", '# # c']],
    ['code in an f-string is code, also with the same quotes', 'python', 'f"a{d["k"]}b"', ['" "a{', '" "k"', '" }b"']],
    ['doubled braces of an f-string are text', 'python', 'f"{{eval(x)}}"', ['" "{{eval(x)}}"']],
    ['a hash in a format is no comment', 'python', 'f"{n:#x}" # c', ['" "{', '" }"', '# # c']],
    ['braces of a plain string are text', 'python', '"{x}"', ['" "{x}"']],
    ['an f-string left open ends with its line', 'python', 'f"{x\ny = "s"', ['" "{', '" "s"']],
    ['a string left open ends with its line', 'python', 'x = "a\ny # c', ['" "a', '# # c']],
    ['a backslash carries a string over the line end', 'python', '"a\\\nb" # c', ['" "a\\\nb"', '# # c']],
  ],
  JavaScript: [
    ['templates nest', 'javascript', '`a${b(`c${"d"}`)}e`', ['" `a${', '" `c${', '" "d"', '" }`', '" }e`']],
    ['braces inside an interpolation are counted', 'typescript', '`${ {a: {}} }` // c', ['" `${', '" }`', '# // c']],
    ['a regular expression hides its quotes', 'javascript', 'a.replace(/["\'/]/g, "x")', ['" "x"']],
    ['a regular expression hides its slashes', 'javascript', 'return /\\/\\/"/ // c', ['# // c']],
    ['a division is no regular expression', 'javascript', 'a / b / "c"; (d) / 2 / "e"', ['" "c"', '" "e"']],
    ['a slash behind a counter divides', 'javascript', 'i++ / 2 + "/"', ['" "/"']],
    ['a regular expression may stand behind a comment', 'javascript', 'x = /* c */ /"/', ['# /* c */']],
    ['a closing tag is no regular expression', 'tsx', '<a></a> // "c', ['# // "c']],
    ['a self-closing tag is none either', 'tsx', '<a b={c} /> + "d" + <e />', ['" "d"']],
    [
      'the first line of a script is a comment',
      'javascript',
      '#!/usr/bin/env node\n"a"',
      ['# #!/usr/bin/env node', '" "a"'],
    ],
  ],
  'C and C++': [
    ['a block comment ends at the first end', 'c', '/* a /* b */ c */', ['# /* a /* b */']],
    ['a backslash continues a line comment', 'c', '// a\\\nb\nc', ['# // a\\\nb']],
    ['quotes of either kind as characters', 'c', "'\"' '\\'' \"'\"", ['" \'"\'', "\" '\\''", '" "\'"']],
    ['a digit separator is no quote', 'cpp', "n = 1'000'000; // c", ['# // c']],
    ['a raw string ends at its own mark', 'cpp', 'R"x(a)" // b)x" // c', ['" "x(a)" // b)x"', '# // c']],
    ['a raw string may have a prefix', 'cpp', 'u8R"(")" "s"', ['" "(")"', '" "s"']],
    ['a name that ends in R begins no raw string', 'cpp', 'BAR"(" + ")"', ['" "("', '" ")"']],
  ],
  'Go and Java': [
    ['a raw string of Go spans lines and escapes nothing', 'go', '`a\\`\n// c', ['" `a\\`', '# // c']],
    ['a rune may be a quote', 'go', `'"' '\\'' // c`, [`" '"'`, `" '\\''`, '# // c']],
    ['a text block of Java holds quotes', 'java', '"""\n a "b" // c\n""" // d', ['" """\n a "b" // c\n"""', '# // d']],
  ],
  'C#': [
    ['a verbatim string ends at a single quote only', 'csharp', '@"c:\\" + @"a""b"', ['" @"c:\\"', '" @"a""b"']],
    ['an interpolated string holds code', 'csharp', '$"{d["k"]:C2}" // c', ['" $"{', '" "k"', '" }"', '# // c']],
    [
      'a raw string closes with as many quotes as opened it',
      'csharp',
      '""""a """ b"""" // c',
      ['" """"a """ b""""', '# // c'],
    ],
    ['dollars say how many braces open code', 'csharp', '$$"""{a} {{b}}"""', ['" $$"""{a} {{', '" }}"""']],
  ],
  Rust: [
    ['comments nest', 'rust', '/* a /* b */ c */ d', ['# /* a /* b */ c */']],
    ['a lifetime is no character', 'rust', "fn f<'a>(x: &'a str) {} // c", ['# // c']],
    [
      'a character may be a quote',
      'rust',
      `'"' '\\'' '\\u{1F600}' '😀' b'"'`,
      [`" '"'`, `" '\\''`, `" '\\u{1F600}'`, `" '😀'`, `" '"'`],
    ],
    ['a raw string closes with as many hashes', 'rust', 'r##"a"# // b"## // c', ['" "a"# // b"##', '# // c']],
    ['a string spans lines', 'rust', '"a\n// b"', ['" "a\n// b"']],
  ],
  'Swift, Kotlin, Scala, Dart': [
    ['comments of Swift nest', 'swift', '/* /* */ */ a', ['# /* /* */ */']],
    ['code in a string of Swift', 'swift', '"a\\(f("b"))c" // d', ['" "a\\(', '" "b"', '" )c"', '# // d']],
    [
      'a string of Swift with hashes needs them to open code',
      'swift',
      '#"\\(a) \\#(b) ""#',
      ['" #"\\(a) \\#(', '" ) ""#'],
    ],
    [
      'a block in a template of Kotlin spans lines',
      'kotlin',
      '"${a.map {\n "b" }}" // c',
      ['" "${', '" "b"', '" }"', '# // c'],
    ],
    ['a raw string of Kotlin may end in quotes', 'kotlin', '"""a"""" // c', ['" """a""""', '# // c']],
    ['a symbol of Scala is no character', 'scala', "val a = 'sym; val b = '\"' // c", [`" '"'`, '# // c']],
    ['only a tagged string of Scala holds code', 'scala', 's"${a}" + "${b}"', ['" "${', '" }"', '" "${b}"']],
    ['a raw string of Dart holds no code', 'dart', "r'${a}' '${b}'", ["\" '${a}'", '" \'${', '" }\'']],
    ['comments of D nest with plus signs', 'd', '/+ /+ +/ " +/ `//`', ['# /+ /+ +/ " +/', '" `//`']],
  ],
  Shell: [
    ['a hash counts only where a word begins', 'bash', 'echo a#b ${#c} $# # d', ['# # d']],
    ['a backslash takes a quote its meaning', 'bash', 'echo \\" # c', ['# # c']],
    ['a command in a string is code', 'bash', '"a $(b "c" # d\n) e"', ['" "a $(', '" "c"', '# # d', '" ) e"']],
    ['single quotes escape nothing', 'bash', "'a\\' # c", ["\" 'a\\'", '# # c']],
    ['a heredoc is a string up to its end', 'bash', "cat <<EOF # c\nit's\nEOF\n# d", ['# # c', '" it\'s\n', '# # d']],
    ['two heredocs follow each other', 'bash', 'a <<A <<-"B C"\n#1\nA\n#2\n\tB C\n# d', ['" #1\n', '" #2\n', '# # d']],
    ['a shift is no heredoc', 'bash', 'echo $((1<<x)) # c\n# d', ['# # c', '# # d']],
    ['a here-string is no heredoc', 'bash', 'cat <<<EOF # c\nEOF', ['# # c']],
  ],
  Ruby: [
    [
      'a squiggly heredoc is a string',
      'ruby',
      "x = <<~SQL.strip # c\n  it's #1\n  SQL\ny",
      ['# # c', '"   it\'s #1\n'],
    ],
    ['a class that is opened is no heredoc', 'ruby', 'class << self\n# c\nself', ['# # c']],
    ['a block comment stands between =begin and =end', 'ruby', '=begin\n"\n=end\n"a"', ['# =begin\n"\n=end', '" "a"']],
    ['percent literals count their brackets', 'ruby', '%q(a (b) #c) # d', ['" %q(a (b) #c)', '# # d']],
    ['a remainder is no literal', 'ruby', 'a % (b) # "c\nd %w # e', ['# # "c', '# # e']],
    ['a character literal may be a quote', 'ruby', 'a = ?" # c', ['# # c']],
    ['code in a string is code', 'ruby', '"a#{b "c"}d"', ['" "a#{', '" "c"', '" }d"']],
    ['a regular expression hides its quotes', 'ruby', 'x =~ /"#/ # c\ny / 2 # d', ['# # c', '# # d']],
    ['nothing behind __END__ is a program', 'ruby', 'a\n__END__\n"b"', ['# __END__\n"b"']],
  ],
  PHP: [
    ['markup outside of PHP is code', 'php', "<p>it's # a</p><?php # b\n'c'", ['# # b', "\" 'c'"]],
    ['the closing tag ends a line comment', 'php', '<?php // a ?> b // c', ['# // a ']],
    ['an attribute is no comment', 'php', '<?php #[A("b")]\n# c', ['" "b"', '# # c']],
    [
      'a heredoc ends at its indented name',
      'php',
      '<?php $a = <<<X\n it\'s\n  X . "b";',
      ['" <<<X\n it\'s\n  X', '" "b"'],
    ],
    ['a nowdoc is a string', 'php', "<?php <<<'X'\n#a\nX;\n# b", ["\" <<<'X'\n#a\nX", '# # b']],
    ['a piece without a tag is PHP', 'php', '$a = "b"; // c', ['" "b"', '# // c']],
  ],
  'SQL, Lua, YAML': [
    ['SQL doubles its quotes', 'sql', "'it''s' -- c", ["\" 'it''s'", '# -- c']],
    [
      'long brackets of Lua match by level',
      'lua',
      'a = [==[ ]] ]==] --[[ b\nc ]] d',
      ['" [==[ ]] ]==]', '# --[[ b\nc ]]'],
    ],
    ['a dash comment of Lua ends with its line', 'lua', '--[ a\nb', ['# --[ a']],
    ['a hash of YAML needs a blank before it', 'yaml', 'a: http://b#c # d', ['# # d']],
    ['an apostrophe in plain text is no quote', 'yaml', "a: it's\nb: 'c # d'", ["\" 'c # d'"]],
    ['a tagged value may be quoted', 'yaml', 'a: !Sub "b # c"', ['" "b # c"']],
    [
      'a block scalar is code but for its full-line comments',
      'yaml',
      'a: |\n  # b\n  echo "c # d\ne: "f"',
      ['# # b', '" "f"'],
    ],
    ['a block scalar ends at the next key of its own map', 'yaml', '- a: |\n    "b\n  c: "d"', ['" "d"']],
  ],
  'Markup and styles': [
    ['an apostrophe in a text is no string', 'html', "it's <!-- a -->", ['# <!-- a -->']],
    ['a script inside a page is read as one', 'html', '<script>"a" // b\n</script>it\'s', ['" "a"', '# // b']],
    ['a style inside a page too', 'vue', '<style lang="scss">// a\n</style><!-- b -->', ['# // a', '# <!-- b -->']],
    ['an address in a style sheet is no comment', 'scss', 'a: url(http://b); // c', ['# // c']],
  ],
  'Other languages': [
    ['a character of Lisp may be a quote', 'commonlisp', '(a #\\") ; b', ['# ; b']],
    ['block comments of Lisp nest', 'scheme', '#| #| |# |# "a"', ['# #| #| |# |#', '" "a"']],
    ['Clojure writes characters with a backslash', 'clojure', '\\; \\" "a" ; b', ['" "a"', '# ; b']],
    ['Visual Basic doubles its quotes', 'vb', 'a = "b""c" \' d\nREM e\nremark', ['" "b""c"', "# ' d", '# REM e']],
    ['Fortran has one comment sign', 'fortran', "'it''s' ! a", ["\" 'it''s'", '# ! a']],
    ['fixed-form Fortran has comments by column', 'fortran77', 'C a\n      call b\n* c', ['# C a', '# * c']],
    ['an operator of Haskell is no comment', 'haskell', "f' --> 'a' -- b", ["\" 'a'", '# -- b']],
    ['Perl hides quotes in its operators', 'perl', 's/"/\'/g; m#"#; $#a; q{a {"} b} # c', ['" q{a {"} b}', '# # c']],
    [
      'Perl keeps its documentation between =pod and =cut',
      'perl',
      '"a"\n=pod\n"\n=cut\n"b"',
      ['" "a"', '# =pod\n"\n=cut', '" "b"'],
    ],
    ['Elixir has sigils', 'elixir', '~s(a "#{b}) ~S(#{c}) # d', ['" ~s(a "#{', '" })', '" ~S(#{c})', '# # d']],
    ['Erlang writes characters with a dollar', 'erlang', '$" $% "a" % b', ['" "a"', '# % b']],
    ['PowerShell escapes with a backtick', 'powershell', '"a`"b" <# c #> # d', ['" "a`"b"', '# <# c #>', '# # d']],
    ['CMake has bracket comments', 'cmake', '#[[ a ]] "b" # c', ['# #[[ a ]]', '" "b"', '# # c']],
    ['a transposed matrix is no string', 'matlab', "a' * 'b' % c", ["\" 'b'", '# % c']],
    [
      'Terraform has heredocs and code in strings',
      'hcl',
      'a = "${b("c")}"\nd = <<EOT\n# e\nEOT',
      ['" "${', '" "c"', '" }"', '" # e\n'],
    ],
  ],
}

describe.each(Object.entries(CASES))('the lexer, in %s', (_, cases) => {
  test.each(cases)('%s', (_promise, language, text, expected) => {
    expect(parts(language, text)).toEqual(expected)
  })
})

describe('the lexer', () => {
  test('says of each offset what stands there', () => {
    const at = makeContextReader('python', 'x = "a" # b')
    expect([0, 3, 4, 6, 7, 8, 10].map(at)).toEqual(['code', 'code', 'string', 'string', 'code', 'comment', 'comment'])
  })

  test('answers in any order of asking', () => {
    const text = 'a = "b"  # c\nd = \'e\'\n'
    const forwards = makeContextReader('python', text)
    const backwards = makeContextReader('python', text)
    const offsets = [...text].map((_, offset) => offset)
    expect([...offsets].reverse().map(backwards).reverse()).toEqual(offsets.map(forwards))
  })

  test('takes everything for code in a language that it does not know', () => {
    expect(makeContextReader('klingon', '# "a"')(2)).toBe('code')
    expect(makeContextReader('text', '# "a"')(2)).toBe('code')
  })

  test('takes an offset outside the text for code', () => {
    const at = makeContextReader('python', '# a')
    expect([-1, 3, Number.NaN, Number.POSITIVE_INFINITY].map(at)).toEqual(['code', 'code', 'code', 'code'])
  })

  test('gives the whole span that holds an offset', () => {
    expect(lex('c', 'a /* b */ c').spanAt(5)).toEqual({ start: 2, end: 9, context: 'comment' })
    expect(lex('c', 'a /* b */ c').spanAt(0)).toBeUndefined()
  })
})
