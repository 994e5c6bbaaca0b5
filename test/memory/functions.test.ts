import { describe, expect, it } from 'vitest'
import { analyseMemory } from '../../engine/memory/analyse.ts'
import { functionsIn } from '../../engine/memory/functions.ts'
import { DEFECTS } from '../../engine/memory/reports.ts'
import { registerGrammars } from '../../engine/rules/grammar.ts'

registerGrammars()
const ALL = new Set(DEFECTS)

const heads = (text: string) => functionsIn(text).map(({ start, end }) => text.slice(start, end).trim().split('\n')[0])

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
})

describe('what a function does wrong with memory', () => {
  it('is told with the way that led there', () => {
    const text = 'int f(void) { char *b = get(); free(b); b[0] = 1; return 0; }'
    const [report] = analyseMemory(text, 'c', ALL).reports
    expect(report?.defect).toBe('use-after-free')
    expect(report?.flow.map(({ start, end, label }) => `${text.slice(start, end)}: ${label}`)).toEqual([
      'free(b): freed here',
    ])
  })

  it('is not looked for where the grammar does not understand the function', () => {
    const text = 'int f(void) { char *b = get(); free(b); b[0] = 1; return 0; } } @'
    expect(analyseMemory(`int f(void) { free(b; b[0] = 1; `, 'c', ALL).reports).toEqual([])
    expect(analyseMemory(text, 'c', ALL).reports).toHaveLength(1)
  })

  it('is not known of a function that is too long, which is said', () => {
    const lines = '  if (x) { y = z[1]; }\n'.repeat(3000)
    const text = `int f(void) {\n  char *b = malloc(3);\n  b[0] = 1;\n${lines}}\n`
    expect(analyseMemory(text, 'c', ALL)).toEqual({ reports: [], exhausted: ['f'] })
  })

  it('counts only where it was asked for', () => {
    const text = 'int f(void) { char *b = malloc(3); b[0] = 1; return keep(b); }'
    expect(analyseMemory(text, 'c', new Set(['double-free'])).reports).toEqual([])
  })
})
