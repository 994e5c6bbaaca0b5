import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../../engine/base/languages/languages.ts'
import { countLines } from '../../../engine/detect/lines/count.ts'
import { SYNTAXES } from '../../../engine/detect/metrics/languages.ts'
import { measureText, measureWithFunctions } from '../../../engine/detect/metrics/measure.ts'
import fc from '../../made/property.ts'

/** A function's name, cyclomatic and cognitive complexity, nesting and parameters, worked out by hand. */
type Expected = [name: string, cyclomatic: number, cognitive: number, nesting: number, parameters: number]
type Case = [promise: string, language: string, code: string, ...functions: Expected[]]

const CASES: Case[] = [
  ['a function without decisions is 1 and 0', 'javascript', 'function f(a, b) { return a }', ['f', 1, 0, 0, 2]],
  [
    'decisions cost more inside others',
    'javascript',
    'function f(a) { if (a) { for (;;) { while (a) {} } } }',
    ['f', 4, 6, 3, 1],
  ],
  [
    'else if is flat, else costs 1',
    'javascript',
    'function f(a) { if (a) { } else if (a > 1) { } else { if (a) { } } }',
    ['f', 4, 5, 2, 1],
  ],
  [
    'bodies without braces and without semicolons end with their lines',
    'javascript',
    'function f(a) {\n  if (a)\n    for (const b of a)\n      if (b) return 1\n  else return 2\n  return a ? 1 : 2\n}',
    ['f', 5, 8, 3, 1],
  ],
  [
    'an else belongs to the inner if, and each sequence of operators costs 1',
    'javascript',
    'function f(a, b, c) { if (a) if (b) g(); else h(); return a && b && c || a }',
    ['f', 6, 6, 2, 3],
  ],
  [
    'parentheses do not end a sequence, a negation does',
    'javascript',
    'function f(a, b, c) { return a && (b && c) && !(a && b) }',
    ['f', 5, 2, 0, 3],
  ],
  [
    'an arrow function is a function of its own',
    'javascript',
    'const f = (a, b) => a ? b : 1\nconst g = a => { if (a) return b => b && a }',
    ['f', 2, 1, 0, 2],
    ['', 2, 1, 0, 1],
    ['g', 2, 1, 1, 1],
  ],
  [
    'methods, accessors and functions in literals count',
    'javascript',
    'class A { constructor(a) { this.a = a } get b() { return this.a || 1 } static async *c(...d) {} if() {} }\nconst o = { catch() { try { } catch { } }, e: function (a = 1) {} }',
    ['constructor', 1, 0, 0, 1],
    ['b', 2, 1, 0, 0],
    ['c', 1, 0, 0, 1],
    ['if', 1, 0, 0, 0],
    ['catch', 2, 1, 1, 0],
    ['e', 1, 0, 0, 1],
  ],
  [
    'do, switch, labels and code inside a template',
    'javascript',
    'function f(a) { o: do { switch (a) { case 1: break o; case 2: default: } } while (a); return `x${a ? 1 : 2}` }',
    ['f', 5, 5, 2, 1],
  ],
  [
    'text and patterns decide nothing',
    'javascript',
    'function f(a) { return /a?b||c/.test("if (a)") /* && */ }',
    ['f', 1, 0, 0, 1],
  ],
  [
    'types, overloads and abstract methods are no functions',
    'typescript',
    'type F = (a: string) => void\ninterface I { f(a: number): void; g?: (x: string) => boolean }\nabstract class A<T> {\n  private x?: string\n  readonly y = (a: number): number => a > 1 ? 1 : 2\n  abstract h(): void\n  async m<K extends keyof T>(k: K, cb: (e: Error) => void): Promise<{ a: string }> { return k ? { a: "" } : await this.n() }\n}\nfunction o(a: string): void\nfunction o(a: string | number, b = 2): void { return a && b }',
    ['y', 2, 1, 0, 1],
    ['m', 2, 1, 0, 2],
    ['o', 2, 1, 0, 2],
  ],
  [
    'branches of a preprocessor open one function',
    'c',
    'static struct foo x = { .a = 1 };\n#define M(a) do { if (a) b(); } while (0)\nstatic int f(struct foo *p, int b)\n{\n#ifdef X\n\tif (p) {\n#else\n\tif (b) {\n#endif\n\t\ty();\n\t}\n\tif (b) goto out;\nout:\n\treturn p->a ? 1 : b ? 2 : 3;\n}\nint g(void) { return 1; }',
    ['f', 6, 7, 1, 2],
    ['g', 1, 0, 0, 1],
  ],
  [
    'constructors, operators and catch of C++',
    'cpp',
    'namespace x { class A : public B { public: A(int a) : a_(a), b_{1} { if (a) f(); } int g() const; }; }\nint x::A::g() const { try { } catch (...) { } return a_ && b_; }',
    ['A', 2, 1, 1, 1],
    ['g', 3, 2, 1, 0],
  ],
  [
    'methods of Java, with lambdas in the method around them',
    'java',
    'class A {\n  private Map<String, Integer> m = new HashMap<>();\n  @Foo(a = 1) public <T> int f(List<T> x) throws E {\n    try (var r = open()) { for (T t : x) { if (t == null) continue; } }\n    catch (IOException | E e) { return x.isEmpty() ? 1 : 2; }\n    Runnable r = () -> { if (x != null) run(); };\n    return switch (x.size()) { case 1 -> 2; case 2, 3 -> { yield 4; } default -> 5; };\n  }\n  abstract void g();\n}',
    ['f', 8, 9, 3, 1],
  ],
  [
    'properties and expression bodies of C#',
    'csharp',
    'namespace N { class A : B {\n  public int X { get; set; } = 1;\n  public int Y { get { return x; } set { if (value > 1) x = value; } }\n  public int F(int? a, string b = null) => a > 1 ? 1 : 2;\n  public A() : base(1) { }\n} }',
    ['get', 1, 0, 0, 0],
    ['set', 2, 1, 1, 0],
    ['F', 2, 1, 0, 2],
    ['A', 1, 0, 0, 0],
  ],
  [
    'receivers, function values and labels of Go',
    'go',
    'package a\ntype I interface { F(a int) error }\nvar h = func(a int) bool { return a > 1 && a < 3 }\nfunc (s *S) Name(a, b int) (x interface{}, err error) {\n\tif x := f(); x != nil {\n\t\treturn 1\n\t} else if x > 2 {\n\t\tswitch v { case 1: continue; default: }\n\t}\n\treturn\n}',
    ['h', 2, 1, 0, 1],
    ['Name', 4, 4, 2, 2],
  ],
  [
    'matches of Rust, without their last arm',
    'rust',
    "impl<T> Foo<T> for Bar {\n  pub fn f(&self, a: &'a str, b: u8) -> Result<u8, E> where T: X {\n    let x = if b > 1 && a.is_empty() { 1 } else { 2 };\n    match x { 1 => g()?, 2 | 3 => { 4 } _ => 5 };\n    'o: loop { break 'o; }\n  }\n}\nfn g() {}",
    ['f', 6, 6, 1, 3],
    ['g', 1, 0, 0, 0],
  ],
  [
    'choices and lambdas of Kotlin',
    'kotlin',
    'class A(val x: Int) : B() {\n  fun f(a: Int, b: String?): Int {\n    when (a) { 1 -> return 2; 2, 3 -> { print(1) } else -> print(2) }\n    b?.let { if (it == "") return 1 }\n    return b?.length ?: 0\n  }\n  fun g() = x > 1 && x < 3\n}',
    ['f', 4, 3, 1, 2],
    ['g', 2, 1, 0, 0],
  ],
  [
    'guards of Swift',
    'swift',
    'struct A {\n  func f(_ a: Int?) -> Int {\n    guard let a = a else { return 0 }\n    if a == 1 { return 1 } else { repeat { x() } while y }\n    return a > 1 ? 1 : 2\n  }\n}',
    ['f', 5, 6, 2, 1],
  ],
  [
    'code of PHP, not the page around it',
    'php',
    '<p>if (x) while</p><?php\nclass B { public function f(int $a, ?string $b = null): ?int { if ($a) { return 1; } elseif ($b && $a) { foreach ($x as $y) { } } return match($a) { 1 => 2, default => 3 }; } }',
    ['f', 6, 6, 2, 2],
  ],
  [
    'blocks of Python by their indentation',
    'python',
    'class A:\n    async def f(self, a, b=1):\n        if a and b or (a and not b):\n            for x in a:\n                yield x if b else [y for y in x if y]\n        elif b:\n            pass\n        else:\n            try:\n                pass\n            except ValueError:\n                while a:\n                    pass\n        return 1\n\ndef g():\n    def inner(z): return z\n    match inner(1):\n        case 1: return 2\n        case _: return 3\n',
    ['f', 12, 16, 3, 3],
    ['inner', 1, 0, 0, 1],
    ['g', 2, 1, 1, 0],
  ],
  [
    'modifiers of Ruby, which need no end',
    'ruby',
    'class A\n  def self.f(a, b = 1)\n    return 1 if a && b\n    if a\n      b.each do |x|\n        puts x unless x\n      end\n    elsif b then 2\n    else\n      while b do b = nil end\n    end\n  end\n  def g; @a; end\nend\n',
    ['f', 7, 9, 2, 2],
    ['g', 1, 0, 0, 0],
  ],
  [
    'commands of a shell, not their arguments',
    'bash',
    'f() {\n  if [ -f x ] && [ -f y ]; then\n    for i in a b; do echo if; done\n  elif true; then :\n  else\n    case $1 in\n      a) echo 1 ;;\n      b|c) echo 2 ;;\n      *) echo 3 ;;\n    esac\n  fi\n}\nfunction g { while read x; do echo $x || exit; done; }\n',
    ['f', 7, 8, 2, 0],
    ['g', 3, 2, 1, 0],
  ],
  [
    'functions of Lua',
    'lua',
    'local function f(a, b)\n  if a then for i = 1, 2 do print(i) end\n  elseif b then repeat a = 1 until a end\nend\nfunction M.g(x) return x and 1 or 2 end\n',
    ['f', 5, 6, 2, 2],
    ['g', 3, 2, 0, 1],
  ],
]

describe('functions', () => {
  test.each(CASES)('%s (%s)', (_, language, code, ...expected) => {
    const { functions } = measureWithFunctions(language, Buffer.from(code))
    const key = ([name, ...counts]: Expected) => `${name} ${counts.join(' ')}`
    const found = functions.map(f => key([f.name, f.cyclomatic, f.cognitive, f.nesting, f.parameters]))
    expect(found.sort()).toEqual(expected.map(key).sort())
  })

  test.each<[language: string, code: string, ...names: string[]]>([
    [
      'javascript',
      'const a = async () => 1\nconst b = async x => 2\nlet c = x => 3\nconst d = function* () {}',
      'a',
      'b',
      'c',
      'd',
    ],
    [
      'javascript',
      'f(async () => 1)\nf(async x => 2)\nexport default async () => {}\nconst a = 1\nreturn (b) => 2',
      '',
      '',
      '',
      '',
    ],
    [
      'javascript',
      'const o = { "key one": () => 1, async m() {}, k: function () {}, \'n\'() {}, 5: () => 2, get p() { return 1 } }',
      ...['key one', 'm', 'k', 'n', '5', 'p'],
    ],
    ['javascript', 'class A { "s"() {} static async t() {} h = async () => {}; "q" = () => {} }', 's', 't', 'h', 'q'],
    ['javascript', 'x.y = async () => {}\nconst e = a < b\nconst g = () => 1', 'y', 'g'],
    ['typescript', 'const g = <T,>(x: T) => x\nconst h = async <T extends A<B>>(x: T): Promise<T> => x', 'g', 'h'],
    ['typescript', 'class A<T> { m<U>(x: U): void {} i = <V>(x: V): V => x }\nf<T>(x => 1)', 'm', 'i', ''],
    ['typescript', 'const t: (x: number) => void = x => {}\nconst u: F<T> = (x, y) => {}', 't', 'u'],
    [
      'rust',
      "fn main<'a>(x: &'a str) {}\nfn g<F: Fn(i32) -> i32, const N: usize>(f: F) where F: Clone {}",
      'main',
      'g',
    ],
    [
      'swift',
      'class A { init(x: Int) {}\n init?<T>(y: T) {}\n deinit {}\n func f<T>(x: T) {}\n static func == (a: A, b: A) -> Bool {} }',
      'init',
      'init',
      'deinit',
      'f',
      '==',
    ],
    [
      'kotlin',
      'fun <T> List<T>.g(x: T) {}\nfun `a b`() {}\nclass A { constructor(x: Int) {} }',
      'g',
      'a b',
      'constructor',
    ],
    [
      'csharp',
      'class A { T M<T>(T x) { return x; } public static bool operator ==(A a, A b) { return true; } }',
      'M',
      'operator ==',
    ],
    [
      'cpp',
      'bool A::operator==(const A& o) { return true; }\nint A::operator()(int x) { return x; }',
      'operator==',
      'operator()',
    ],
    [
      'go',
      'func F[T any](x T) T { return x }\nfunc (r *R[T]) M(a int) {}\nfunc g() { go func(a int) error { return nil }(1) }',
      'F',
      'M',
      'g',
      '',
    ],
  ])('of %s have their names: %s', (language, code, ...names) => {
    const { functions } = measureWithFunctions(language, Buffer.from(code))
    expect(functions.map(({ name }) => name).sort()).toEqual(names.sort())
  })

  test('between texts of JSX are counted, apostrophes and all', () => {
    const code =
      "function B(x) { return <p>it's {x ? 'a' : 'b'} 5\" {x && y}</p> }\nfunction C(x) { if (x) { return'a' } }"
    for (const language of ['javascript', 'tsx']) {
      const { functions } = measureWithFunctions(language, Buffer.from(code))
      expect(functions.map(({ name, cyclomatic }) => [name, cyclomatic])).toEqual([
        ['B', 3],
        ['C', 2],
      ])
    }
  })

  test('are counted alike whether they are listed or not', () => {
    for (const [, language, code] of CASES) {
      const { metrics } = measureWithFunctions(language, Buffer.from(code))
      expect(metrics).toEqual(measureText(language, Buffer.from(code)))
    }
  })

  test('have the lines from their first to their last', () => {
    const { functions, metrics } = measureWithFunctions('go', Buffer.from('package a\n\nfunc f() {\n\n}\n'))
    expect(functions).toMatchObject([{ line: 3, end_line: 5 }])
    expect(metrics.longest_function).toBe(3)
  })

  test('of a language that is not known are not measured', () => {
    expect(measureText('markdown', Buffer.from('# a\n'))).toMatchObject({
      code_lines: 1,
      functions: null,
      cyclomatic: null,
    })
  })

  test('are known of more than twenty languages, each one of the languages table', () => {
    expect(Object.keys(SYNTAXES).filter(name => !LANGUAGES.has(name))).toEqual([])
    expect(Object.keys(SYNTAXES).length).toBeGreaterThan(20)
  })

  test('of any text are counted, and its lines as lines are counted', () => {
    const pieces = [
      'if',
      'else',
      '(',
      ')',
      '{',
      '}',
      '[',
      ']',
      ';',
      ',',
      ':',
      '?',
      '=>',
      'function f',
      '`${',
      '}`',
      '"',
      '/*',
      '*/',
      '\n',
      'do',
      'while',
      'end',
      'case',
      'class',
      '#if',
      '&&',
      ' ',
    ]
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map(parts => parts.join(' '))
    fc.assert(
      fc.property(text, fc.constantFrom(...Object.keys(SYNTAXES)), (code, language) => {
        const metrics = measureText(language, Buffer.from(code))
        expect(metrics.cyclomatic!).toBeGreaterThanOrEqual(metrics.functions!)
        expect(metrics.cognitive!).toBeGreaterThanOrEqual(0)
        const { code: lines, comment, blank } = countLines(language, code)
        expect([metrics.code_lines, metrics.comment_lines, metrics.blank_lines]).toEqual([lines, comment, blank])
      }),
    )
  })
})
