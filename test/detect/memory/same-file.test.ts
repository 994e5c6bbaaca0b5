import { describe, expect, it } from 'vitest'
import { analyzeAll, findDefects } from './defects.ts'

// Each case is written from what CWE, the C standard or CERT C describe.

describe('macros of the same file (C11 6.10.3, PRE00-C, PRE10-C)', () => {
  it.each([
    ['a size', 'overflow', '#define LEN 16\nvoid f(const char *s) { char b[LEN]; memcpy(b, s, 32); use(b); }'],
    [
      'a size that is made of others',
      'overflow',
      '#define ROW 8\n#define LEN (2 * ROW)\nvoid f(const char *s) { char b[LEN]; memcpy(b, s, LEN + 1); use(b); }',
    ],
    [
      'a size by a type',
      'overflow',
      '#define ROWS 4\n#define LEN (ROWS * sizeof(int))\nvoid f(void) { int a[ROWS]; memset(a, 0, LEN + 4); use(a); }',
    ],
    [
      'a copy',
      'unbounded-copy',
      '#define COPY(d, s) strcpy(d, s)\nvoid f(const char *s) { char b[16]; COPY(b, s); use(b); }',
    ],
    [
      'a copy with its size',
      'overflow',
      '#define LEN 32\n#define FILL(d, s) memcpy((d), (s), LEN)\nvoid f(const char *s) { char b[16]; FILL(b, s); use(b); }',
    ],
    ['a release', 'double-free', '#define DROP(p) free(p)\nvoid f(void) { char *p = get(); DROP(p); DROP(p); }'],
    [
      'statements',
      'use-after-free',
      '#define DROP(p) do { log(p->n); \\\n  free(p); } while (0)\nint f(void) { struct s *p = get(); DROP(p); return p->n; }',
    ],
    [
      'an allocation',
      'unchecked-null',
      '#define MAKE(n) (struct s *)malloc((n) * sizeof(struct s))\nvoid f(void) { struct s *p = MAKE(3); p->n = 1; keep(p); }',
    ],
    [
      'a macro by another',
      'double-free',
      '#define RELEASE(p) free(p)\n#define DROP(p) RELEASE(p)\nvoid f(void) { char *p = get(); DROP(p); DROP(p); }',
    ],
  ])('are expanded: %s', (_, defect, code) => {
    expect(findDefects(code)).toEqual([defect])
  })

  it('have their findings where they are used', () => {
    const text =
      '#define DROP(p) do { if (p) free(p); } while (0)\nvoid f(void) { char *p = get(); DROP(p); g(1); free(p); }'
    const { reports } = analyzeAll(text)
    expect(reports.map(({ start, end }) => text.slice(start, end))).toEqual(['free(p)'])
    expect(reports[0]!.flow.map(({ start, end }) => text.slice(start, end))).toEqual(['DROP(p)'])
  })

  it.each([
    [
      'the pointer is reset with it',
      '#define DROP(p) do { free(p); p = NULL; } while (0)\nvoid f(void) { char *p = get(); DROP(p); DROP(p); }',
    ],
    [
      'it is defined twice',
      '#ifdef A\n#define DROP(p) free(p)\n#else\n#define DROP(p) later(p)\n#endif\nvoid f(void) { char *p = get(); DROP(p); DROP(p); }',
    ],
    [
      'it is undefined again',
      '#define DROP(p) free(p)\n#undef DROP\nvoid f(void) { char *p = get(); DROP(p); DROP(p); }',
    ],
    ['it glues names', '#define DROP(p) p##_free(p)\nvoid f(void) { char *p = get(); DROP(p); DROP(p); }'],
    ['it names itself', '#define free(p) (free)(count(p))\nvoid f(const char *s) { char b[9]; keep(b, s); }'],
    ['it is in a text', '#define DROP(p) free(p)\nvoid f(void) { char *p = get(); log("DROP(p)"); DROP(p); }'],
    [
      'the size fits',
      '#define LEN 16\n#define FILL(d, s) memcpy(d, s, LEN)\nvoid f(const char *s) { char b[LEN]; FILL(b, s); use(b); }',
    ],
    [
      'it takes another number of arguments',
      '#define DROP(p, q) free(p)\nvoid f(void) { char *p = get(); DROP(p); DROP(p); }',
    ],
  ])('say nothing where %s', (_, code) => {
    expect(findDefects(code)).toEqual([])
  })
})

describe('a block that a function of the same file frees (CWE-415, CWE-416, MEM30-C)', () => {
  const DROP = 'static void drop(struct s *p)\n{\n  free(p->name);\n  free(p);\n}\n'
  it.each([
    ['is freed again', 'double-free', `${DROP}void f(void) { struct s *p = get(); drop(p); free(p); }`],
    ['is used', 'use-after-free', `${DROP}int f(void) { struct s *p = get(); drop(p); return p->n; }`],
    ['is freed by it twice', 'double-free', `${DROP}void f(void) { struct s *p = get(); drop(p); drop(p); }`],
    [
      'is freed on one way',
      'use-after-free',
      `${DROP}int f(int x) { struct s *p = get(); if (x) drop(p); return p->n; }`,
    ],
    [
      'is the second argument',
      'use-after-free',
      'void end(int how, char *p) { if (p) free(p); note(how); }\nint f(void) { char *p = get(); end(1, p); return p[0]; }',
    ],
    [
      'is freed below it',
      'use-after-free',
      `${DROP}void f(void) { struct s *p = get(); drop(p); p->n = 1; }\nvoid g(void) { }`,
    ],
  ])('%s', (_, defect, code) => {
    expect(findDefects(code)).toEqual([defect])
  })

  it.each([
    [
      'it counts who has it',
      'static void drop(struct s *p) { if (--p->users > 0) return; free(p); }\nint f(void) { struct s *p = get(); drop(p); return p->n; }',
    ],
    [
      'it frees under a condition',
      'static void drop(struct s *p, int all) { if (all) free(p); }\nint f(void) { struct s *p = get(); drop(p, 0); return p->n; }',
    ],
    [
      'it frees a part',
      'static void drop(struct s *p) { free(p->name); }\nint f(void) { struct s *p = get(); drop(p); return p->n; }',
    ],
    ['its body is not seen', 'void drop(struct s *p);\nint f(void) { struct s *p = get(); drop(p); return p->n; }'],
    [
      'it frees something else by then',
      'static void drop(struct s *p) { p = p->next; free(p); }\nint f(void) { struct s *p = get(); drop(p); return p->n; }',
    ],
    [
      'it is defined twice',
      '#ifdef A\nstatic void drop(struct s *p)\n{\n  free(p);\n}\n#else\nstatic void drop(struct s *p)\n{\n}\n#endif\nint f(void) { struct s *p = get(); drop(p); return p->n; }',
    ],
    ['the pointer is given anew', `${DROP}int f(void) { struct s *p = get(); drop(p); p = get(); return p->n; }`],
    [
      'it frees and takes another',
      'static void drop(char **p) { free(*p); *p = get(); }\nint f(void) { char *p = get(); drop(&p); return p[0]; }',
    ],
  ])('is not known where %s', (_, code) => {
    expect(findDefects(code)).toEqual([])
  })
})
