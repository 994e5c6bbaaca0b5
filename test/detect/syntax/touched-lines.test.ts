import { describe, expect, it } from 'vitest'
import { findInlineSuppressions } from '../../../engine/detect/rules/inline.ts'
import { registerGrammars } from '../../../engine/detect/syntax/grammar.ts'
import { makeTouched } from '../../../engine/detect/syntax/touched-lines.ts'

registerGrammars()
const D = 'svc-ignore: a-rule -- it is known'

/** Lines with `BAD` must be covered, those with `OPEN` must not. */
function check(language: string, text: string): void {
  const ignores = findInlineSuppressions(language, text, makeTouched(language, text, undefined))
  expect(ignores.map(({ fault }) => fault)).toEqual(ignores.map(() => undefined))
  const isCovered = (at: number) =>
    ignores.some(({ line, last_line, also = [] }) =>
      [[line, last_line] as const, ...also].some(([first, last]) => first <= at && at <= last),
    )
  const lines = text.split('\n').map((line, index) => ({ line, covered: isCovered(index + 1) }))
  expect(lines.filter(({ line, covered }) => line.includes('BAD') && !covered).map(({ line }) => line)).toEqual([])
  expect(lines.filter(({ line, covered }) => line.includes('OPEN') && covered).map(({ line }) => line)).toEqual([])
  expect(lines.some(({ line }) => line.includes('BAD'))).toBe(true)
}

describe('a suppression behind the last line of a statement holds for all of it', () => {
  it.each([
    ['javascript', `OPEN()\nBAD(\n  'BAD' + b,\n) // ${D}\nOPEN()\n`],
    ['javascript', `const a = BAD('x', {\n  b: 'BAD',\n}) // ${D}\n`],
    ['javascript', `app.get('/BAD', (q, s) => {\n  OPEN()\n  OPEN()\n}) // ${D}\n`],
    ['typescript', `const a: string = BAD\n  .b()\n  .BAD() // ${D}\nOPEN()\n`],
    ['python', `OPEN()\nBAD(\n    "BAD"\n    + b,\n)  # ${D}\nOPEN()\n`],
    ['python', `def f():\n    OPEN()\n    BAD(\n        a)  # ${D}\n    OPEN()\n`],
    ['java', `class A { void f() {\nOPEN();\nBAD("x"\n  + BAD); // ${D}\nOPEN();\n} }\n`],
    ['kotlin', `fun f() {\n  OPEN()\n  BAD(\n    BAD\n  ) // ${D}\n  OPEN()\n}\n`],
    ['go', `package a\nfunc f() {\n\tOPEN()\n\tBAD(\n\t\tBAD,\n\t) // ${D}\n\tOPEN()\n}\n`],
    ['csharp', `class A { void F() {\nOPEN();\nBAD("x",\n  BAD); /* ${D} */\nOPEN();\n} }\n`],
    ['php', `<?php\nOPEN();\nBAD(\n  $BAD\n); # ${D}\nOPEN();\n`],
    ['ruby', `OPEN()\nBAD(\n  BAD\n) # ${D}\nOPEN()\n`],
    ['rust', `fn f() {\n    OPEN();\n    BAD(\n        BAD,\n    ); // ${D}\n    OPEN();\n}\n`],
    ['swift', `func f() {\n  OPEN()\n  BAD(\n    BAD\n  ) // ${D}\n  OPEN()\n}\n`],
    ['scala', `object A {\n  def f() = {\n    OPEN()\n    BAD(\n      BAD\n    ) // ${D}\n    OPEN()\n  }\n}\n`],
    ['c', `int f() {\n  OPEN();\n  BAD(a,\n    BAD); // ${D}\n  OPEN();\n}\n`],
    ['cpp', `int f() {\n  OPEN();\n  BAD(a,\n    BAD); // ${D}\n  OPEN();\n}\n`],
    ['bash', `OPEN\nBAD a \\\n  BAD # ${D}\nOPEN\n`],
  ])('%s: %s', check)
})

describe('a suppression above further comments, annotations or decorators holds for what they stand before', () => {
  it.each([
    ['javascript', `// ${D}\n// why it is\n/* and\n more */\nBAD()\nOPEN()\n`],
    ['python', `# ${D}\n# why it is\n@app.route('/BAD')\n@login\ndef BAD():\n    OPEN()\n`],
    ['python', `class A:\n    # ${D}\n    @property\n    def BAD(self):\n        return OPEN\n`],
    ['java', `class A {\n// ${D}\n@Get("/BAD")\n@B\npublic void BAD(\n  String BAD) {\n  OPEN();\n}\n}\n`],
    ['java', `class A {\n// ${D}\n@Value("x")\nprivate String BAD =\n  "BAD";\nString OPEN;\n}\n`],
    ['kotlin', `class A {\n  // ${D}\n  // more\n  @Get("/")\n  fun BAD() {\n    OPEN()\n  }\n}\n`],
    ['csharp', `class A {\n  // ${D}\n  [HttpGet]\n  [B("BAD")]\n  public void BAD() {\n    OPEN();\n  }\n}\n`],
    ['php', `<?php\nclass A {\n  // ${D}\n  #[Route('/BAD')]\n  public function BAD() {\n    OPEN();\n  }\n}\n`],
    ['typescript', `class A {\n  // ${D}\n  @Get('/BAD')\n  @B()\n  BAD() {\n    OPEN()\n  }\n}\n`],
    ['typescript', `// ${D}\n@Injectable()\nexport class BAD {\n  OPEN = 1\n}\n`],
    ['rust', `// ${D}\n// more\n#[allow(x)]\n#[b]\nfn BAD() {\n    OPEN();\n}\n`],
    ['swift', `// ${D}\n@objc\nfunc BAD() {\n  OPEN()\n}\n`],
    ['scala', `class A {\n  // ${D}\n  @b("BAD")\n  def BAD = {\n    OPEN()\n  }\n}\n`],
    ['go', `package a\n\n// ${D}\n// more\nfunc BAD() {\n\tOPEN()\n}\n`],
    ['ruby', `# ${D}\n# more\nBAD(\n  BAD)\nOPEN()\n`],
    ['c', `// ${D}\n// more\nint BAD(int a,\n  int BAD) {\n  OPEN();\n}\n`],
    ['yaml', `# ${D}\n# more\na: BAD\nb: OPEN\n`],
    ['yaml', `a:\n  # ${D}\n  run: |\n    BAD\n    BAD\n  b: OPEN\n`],
    ['dockerfile', `# ${D}\n# more\nRUN BAD \\\n  BAD\nRUN OPEN\n`],
    ['hcl', `# ${D}\n// more\nresource "BAD" "x" {\n  a = OPEN\n}\n`],
    ['toml', `# ${D}\n# more\na = "BAD"\nb = "OPEN"\n`],
    ['sql', `-- ${D}\n-- more\nselect BAD;\nselect OPEN;\n`],
  ])('%s: %s', check)
})

describe('a suppression in a block comment before an element holds for its tag', () => {
  it.each([
    ['html', `<p>OPEN</p>\n<!-- ${D} -->\n<a\n  href="BAD"\n  target="BAD">\n  <b>OPEN</b>\n</a>\n`],
    ['html', `<div><!-- ${D} --><a\n  href="BAD">\n  OPEN</a></div>\n`],
    [
      'tsx',
      `const a = <div>\n  {/* ${D} */}\n  <b\n    c={BAD}\n    dangerouslySetInnerHTML={{ __html: BAD }}\n  />\n  <i OPEN="" />\n</div>\n`,
    ],
    ['tsx', `const a = <div>\n  {/* ${D} */}\n  <b c={BAD}\n    d={BAD}>\n    <i OPEN="" />\n  </b>\n</div>\n`],
    ['javascript', `const a = (\n  /* ${D} */\n  <b\n    c={BAD} />\n)\nOPEN()\n`],
    ['javascript', `/* ${D} */ BAD(\n  BAD)\nOPEN()\n`],
  ])('%s: %s', check)
})

it('an empty line ends what a suppression touches', () => {
  const text = `a() // ${D}\n\n// ${D}\n\nb()\n`
  const touched = findInlineSuppressions('javascript', text, makeTouched('javascript', text, undefined))
  expect(touched.every(({ last_line, also = [] }) => last_line < 5 && also.every(([, last]) => last < 5))).toBe(true)
})
