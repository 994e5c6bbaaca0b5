import { describe, expect, it } from 'vitest'
import { analyzeMemory } from '../../../engine/detect/memory/analyse.ts'
import { findFunctions } from '../../../engine/detect/syntax/functions.ts'
import { analyzeAll } from './defects.ts'

const heads = (text: string) =>
  findFunctions(text).map(({ start, end }) => text.slice(start, end).trim().split('\n')[0])

describe('the functions of a text', () => {
  it('are told from types, tables and what stands in comments and texts', () => {
    const text =
      'struct s { int a; };\nint t[] = { 1, 2 };\n/* void no(void) { } */\nchar *c = "void no() {";\nint f(int a)\n{\n  if (a) { g(); }\n}\n'
    expect(heads(text)).toEqual(['int f(int a)'])
  })

  it('are found in namespaces and classes', () => {
    expect(heads('namespace n {\nclass C {\n  int f() const { return 1; }\n};\nvoid C::g() { }\n}\n')).toHaveLength(2)
  })

  it('end at the left edge where conditional lines leave a brace open', () => {
    expect(
      heads('void f(void)\n{\n#ifdef A\n  if (a) {\n#else\n  if (b) {\n#endif\n  }\n}\nvoid g(void)\n{\n}\n'),
    ).toHaveLength(2)
  })

  it('are found behind what C++ may have between parameters and body, and below parameters of old', () => {
    for (const head of [
      'auto f() -> std::vector<int> ',
      'int C::f() const & noexcept ',
      'C::C() : a(1), b(2) ',
      'int f() throw() ',
      'int f(a, b)\n  int a;\n  char *b;\n',
    ])
      expect(findFunctions(`int x;\n${head}{\n  if (a) { g(); }\n}\n`)).toHaveLength(1)
    const listed = 'C::C() : a{1}, b{2} {\n  g();\n}\n'
    expect(findFunctions(listed).map(({ start, end }) => listed.slice(start, end))).toEqual([' {\n  g();\n}'])
  })

  it('are told from types with brackets before their names', () => {
    const text =
      'struct __attribute__((packed)) s { int a; };\nclass EXPORT(x) C : public B { int f() { return 1; } };\n'
    expect(heads(text)).toEqual(['int f() { return 1; }'])
  })

  it('are looked for in a time that goes with the length of the text', () => {
    const text = `int f()${' const'.repeat(33)} @ {`
    expect(findFunctions(text.repeat(1000))).toEqual([])
  })

  it.each([
    'void f(int a) /* c */ ',
    'void f(int a) // c\n',
    `void f(int a) /* ${'long '.repeat(99)}*/ `,
    'void f(int a /* in */)\n',
    'void f(/* in */ int a, // out\n int *b)\n',
    'void f(int a\n#ifdef B\n, int b\n#endif\n)\n',
    'int\nf(a, b)\n  int a; /* one */\n  int b; /* two */\n',
    `void f(int a)${'\n'.repeat(500)}`,
    'void f(int a) [[gnu::cold]] ',
    'template<class T> void f(T a) requires std::integral<T> && A<T> ',
    'struct __attribute__((packed)) s *f(int a) ',
  ])('have what is for people or for the compiler in their heads: %s', head => {
    const text = `/* before */\n#define X 1\n${head}{ g(a); }`
    expect(findFunctions(text).map(({ start, end }) => text.slice(start, end).trim())).toEqual([`${head}{ g(a); }`])
  })

  it('are told apart whatever braces stand in texts', () => {
    const first = ['R"x(} { " )x"', '"a\\\n}"', "1'000 + '}'", "'\\x7d'"].map(value => `void f() { g(${value}); }`)
    for (const text of first)
      expect(heads(`${text}\nvoid h() { }\n`), text).toEqual([text.split('\n')[0], 'void h() { }'])
  })

  it('go to the end of the text where they are not closed', () => {
    expect(heads('void f(void)\n{\n  if (a) {\n')).toEqual(['void f(void)'])
  })
})

describe('what a function does wrong with memory', () => {
  it('is told with the way that led there', () => {
    const text = 'int f(void) { char *b = get(); free(b); b[0] = 1; return 0; }'
    const [report] = analyzeAll(text).reports
    expect(report?.defect).toBe('use-after-free')
    expect(report?.flow.map(({ start, end, label }) => `${text.slice(start, end)}: ${label}`)).toEqual([
      'free(b): freed here',
    ])
  })

  it('is told where the grammar does not know what stands before the body, or what a macro is given', () => {
    const body = '{ char *b = get(); free(b); b[0] = 1; return 0; }'
    for (const text of [
      `static int __init __must_check f(char __user *a) ${body}`,
      `TEST_F(suite, name) ${body}`,
      `int f(struct node *n) ${body.replace('get()', 'container_of(n, struct list, head)')}`,
    ])
      expect(analyzeAll(text)).toMatchObject({ reports: [{ defect: 'use-after-free' }], untold: [] })
  })

  it('is not known of a function that the grammar does not understand, which is said', () => {
    const text = 'int f(void) { char *b = get(); free(b); b[0] = 1; @ else ) 3 return 0; }'
    expect(analyzeAll(text)).toEqual({
      reports: [],
      untold: [{ reason: 'not_understood', detail: 'the grammar does not understand it', functions: ['f'] }],
    })
  })

  it('is not known of a function that is too long, which is said', () => {
    const lines = '  if (x) { y = z[1]; }\n'.repeat(3000)
    const text = `int f(void) {\n  char *b = malloc(3);\n  b[0] = 1;\n${lines}}\n`
    expect(analyzeAll(text)).toEqual({
      reports: [],
      untold: [{ reason: 'too_costly', detail: 'more than 60000 characters', functions: ['f'] }],
    })
  })

  it('is not known of functions behind so many steps as a file may take, which is said', () => {
    const steps = 'if (a(c)) d(e(g));\n'.repeat(2300)
    const of = (i: number) => `int f${i}(void) { char *b = get(); free(b); b[0] = 1; ${steps} }\n`
    const { reports, untold } = analyzeAll(Array.from({ length: 8 }, (_, i) => of(i)).join(''))
    // Each takes some 18,000 of 100,000.
    expect(reports.length).toBeLessThan(8)
    expect(untold).toMatchObject([{ reason: 'too_costly', detail: 'more than 20000 steps, or 100000 in the file' }])
    expect(reports.length + untold[0]!.functions.length).toBe(8)
  })

  const n = 5000
  it.each([
    ['brackets', `a = ${'('.repeat(n)}1${')'.repeat(n)};`],
    ['brackets that nobody closes', `a = ${'['.repeat(n)}1;`],
    ['blocks', `${'{'.repeat(n)}${'}'.repeat(n)}`],
    ['conditions', `${'if (a) '.repeat(n)}a = 1;`],
    ['one branch after another', `if (a) a = 1;${' else if (a) a = 1;'.repeat(2500)}`],
    ['signs', `a = ${'!'.repeat(n)}1;`],
    ['elements', `a = b${'[0]'.repeat(n)};`],
    ['a long sum', `a = 1${' + a'.repeat(n)};`],
    ['loops', `${'while (a) '.repeat(n)}a = 1;`],
  ])('is not known of a function that %s make too deep, which is said', (_, statement) => {
    const text = `int f(int a) {\n  char *b = malloc(3);\n  b[0] = 1;\n  ${statement}\n}\n`
    expect(analyzeAll(text)).toMatchObject({
      reports: [],
      untold: [{ reason: 'too_deep', functions: ['f'] }],
    })
  })

  it('counts only where it was asked for', () => {
    const text = 'int f(void) { char *b = malloc(3); b[0] = 1; return keep(b); }'
    expect(analyzeMemory(text, 'c', new Set(['double-free'])).reports).toEqual([])
  })
})
