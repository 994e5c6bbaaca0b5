import { describe, expect, it } from 'vitest'
import { analyzeAll } from './defects.ts'

const said = (code: string) => analyzeAll(code).reports.map(({ defect }) => defect)
const LONG = 'struct context_of_a_driver_with_a_name_that_fills_most_of_a_line'

describe('a function is carried out where', () => {
  it.each([
    ['what is freed is cast', 'void f(struct s *p) { free((void *)p); p->x = 1; }', 'use-after-free'],
    [
      'a block is cast to a long type',
      `void f(void) { ${LONG} *p = (${LONG} *)malloc(4); p->x = 1; }`,
      'unchecked-null',
    ],
    [
      'a block of the kernel is followed by a star',
      'void f(void) { int *p; p = kmalloc(4, 0); *p = 1; }',
      'unchecked-null',
    ],
    ['an array is freed with a space before it', 'void f(void) { char b[9]; use(b); free ( b ); }', 'free-of-stack'],
    ['an array is freed by way of a pointer', 'void f(void) { char b[9]; char *p =b ; kfree(p); }', 'free-of-stack'],
    [
      'a number is read behind a long format',
      `int f(int *a) { int n; fscanf(in, "${'%*d '.repeat(40)}%d", &n); return a[n]; }`,
      'unchecked-index',
    ],
    [
      'what is freed is used behind the label that is jumped to',
      'void f(struct s *p) { if (p->bad) { free(p);\n goto out; }\n p->x = 1;\n return;\nout:\n p->y = 1; }',
      'use-after-free',
    ],
    [
      'what is freed is used behind the branches that are not taken',
      'void f(struct s *p, int n) { if (n == 1) { free(p); } else if (n == 2) { p->x = 1; } else { p->x = 2; }\n p->y = 3; }',
      'use-after-free',
    ],
    [
      'what is freed leads a loop on that does not end before',
      'void f(struct s *p) { for (; p; p = p->next) { if (p->x) use(p); free(p); } }',
      'use-after-free',
    ],
    [
      'a pointer is NULL where what sets it is in another block',
      'void f(int a) { struct s *p = NULL; if (a) { p = g(); p->x = 1; } p->y = 1; }',
      'maybe-null',
    ],
    [
      'a pointer that is NULL is copied from',
      'void f(int a, char *d) { char *p = NULL; if (a) { p = g(); *p = 1; } memcpy(d, p, 9); }',
      'maybe-null',
    ],
    [
      'a number from outside is the length of a copy',
      'void f(char *d, char *s) { int n = atoi(s); memcpy(d, g(s), n); }',
      'unchecked-length',
    ],
    [
      'an array of numbers is filled with more bytes than it has',
      'void f(void) { u16 b[4]; memset(b, 0, 9); }',
      'overflow',
    ],
    [
      'an array is freed by way of a pointer to a pointer to it',
      'void f(void) { char b[9]; char *p = b; char *q = p; kfree(q); }',
      'free-of-stack',
    ],
  ])('%s', (_, code, defect) => {
    expect(said(code)).toContain(defect)
  })
})

describe('which functions to carry out is told in a time that goes with the length of the text', () => {
  it.each([
    ['copies that do not end', () => 'memcpy(b,'],
    ['sizes that do not end', () => 'b[sizeof'],
    ['texts that do not end', () => '"\\'],
    ['comments that do not end', () => '/* '],
    ['releases', (i: number) => `free(p${i});\n`],
    ['releases and jumps', (i: number) => `{ free(p);\n goto a${i}; }\na${i}:\np = 0;\n`],
    ['numbers', (i: number) => `n${i}=atoi(s);\n`],
    ['numbers that are read', (i: number) => `scanf(a,&b${i});\n`],
    ['variables', (i: number) => `int a${i};\n`],
    ['pointers that are NULL', () => 'p = NULL;\np->x = 1;\np = g(p);\n'],
    ['pointers that are NULL and set', () => 'p = NULL;\np = g();\np->x = 1;\n'],
    ['arguments', () => 'n = atoi(s); g(a, n);\n'],
    ['blocks of the kernel', (i: number) => `p${i}=kmalloc(1);\n`],
  ])('%s', (_, part) => {
    const code = `void f(void) { char b[3]; ${Array.from({ length: 40_000 }, (_, i) => part(i)).join('')} }`
    expect(said(code)).toEqual([])
  })
})
