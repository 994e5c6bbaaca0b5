import { describe, expect, it } from 'vitest'
import { analyzeAll, findDefects } from './defects.ts'

/** What is said of a function, which is carried out whatever its text is: it takes a block and gives it away. */
function said(code: string, language: 'c' | 'cpp' = 'c'): string[] {
  return findDefects(code.replace('{', '{ char *zz = malloc(1); keep(zz);'), language)
}

describe('nothing is said where', () => {
  it.each([
    ['a loop has one round', 'void f(char *p) { do { free(p); } while (0); }'],
    ['a flag ends the loop that frees', 'void f(char *p) { int done = 0; while (!done) { free(p); done = 1; } }'],
    [
      'a condition compares fixed numbers',
      'int f(void) { int a[4]; if (sizeof(a) / sizeof(a[0]) > 4) a[4] = 0; return 0; }',
    ],
    [
      'what a switch chose is asked for again',
      'int f(int x) { char *p = get(); switch (x) { case 1: free(p); break; } if (x != 1) p[0] = 1; return 0; }',
    ],
    [
      'a flag is counted up beside the value',
      'int f(void) { int n = 0; char *p; if (get()) { p = h(); n++; } if (n) return p[0]; return 0; }',
    ],
    [
      'a flag is made of what the first condition asks for',
      'int f(int err) { int ret = err ? -1 : 0; char *p = get(); if (err) free(p); if (ret == 0) p[0] = 1; return 0; }',
    ],
    [
      'a pointer was compared in a value',
      'int f(void) { char *p = malloc(3); int ok = p != NULL; if (ok) p[0] = 1; free(p); return ok; }',
    ],
    [
      'the first round is told apart',
      'int f(int n) { struct s *b = NULL; for (int i = 0; i < n; i++) { struct s *c = get(); if (i > 0) b->next = c; b = c; } return 0; }',
    ],
    [
      'a local array is outgrown',
      'int f(void) { char a[64]; char *p = a; while (more()) { if (p != a) free(p); p = grow(); } if (p != a) free(p); return 0; }',
    ],
    [
      'the address of a block is kept with a mark in it',
      'int f(struct s *s) { char *p = malloc(3); if (!p) return 1; s->q = (uintptr_t)p | 1; return 0; }',
    ],
    [
      'a block declares the name of an array again',
      'int f(void) { int a[10]; { int a[3]; a[0] = 1; } a[5] = 1; return a[5]; }',
    ],
    [
      'a pointer is given a value by its address',
      'int f(void) { char *p = NULL; get((LPVOID)&p); p[0] = 1; return 0; }',
    ],
    ['NULL is freed twice', 'int f(void) { char *p = NULL; free(p); free(p); return 0; }'],
    ['a value is said not to be used', 'int f(void) { int n; (void)n; return 0; }'],
    ['a call or an error ends the function', 'int f(int x) { int v; if (x) v = 1; else my_fatal("x"); return v; }'],
    ['an error message ends the program', 'int f(int x) { int v; if (x) v = 1; else error(1, 0, "x"); return v; }'],
    [
      'a macro is given the statement that leaves',
      'int f(void) { char *p = get(); if (bad()) { free(p); SKIP(return, "no"); } p[0] = 1; return 0; }',
    ],
    [
      'so much is read as the block was asked for',
      'int f(int fd, int x) { uint32_t n = ntohl(x); char *p = malloc(n); if (!p) return 1; read(fd, p, n); free(p); return 0; }',
    ],
    [
      'a text was read with the length of the smaller array',
      'int f(void) { char a[20], b[10]; fgets(a, 10, stdin); strcpy(b, a); return b[0]; }',
    ],
    ['a number is written to the base of eight', 'int f(void) { char a[9]; a[010] = 1; return a[0]; }'],
    [
      'a function is called when the name ends',
      'int f(void) { __attribute__((cleanup(freep))) char *p = malloc(3); if (!p) return 1; return 0; }',
    ],
    [
      'a condition follows a comma',
      'int f(void) { char *p; if (p = malloc(3), !p) return 1; p[0] = 1; free(p); return 0; }',
    ],
  ])('%s', (_, code) => {
    expect(said(code)).toEqual([])
  })

  it.each([
    [
      'what is thrown leaves the function',
      'void f(bool bad) { char *p = get(); if (bad) { free(p); throw 1; } p[0] = 1; free(p); }',
    ],
    ['a stream gives the value', 'int f() { int n; int m; std::cin >> n >> m; return n + m; }'],
    ['a reference gives the value', 'int f() { int n; int &r = n; r = 5; return n; }'],
  ])('%s in C++', (_, code) => {
    expect(said(code, 'cpp')).toEqual([])
  })
})

describe('it is said that', () => {
  it.each([
    [
      'use-after-free',
      'behind a switch',
      'int f(int x) { char *p = get(); switch (x) { case 1: free(p); break; default: break; } p[0] = 1; return 0; }',
    ],
    [
      'use-after-free',
      'behind a switch of which every case leaves',
      'int f(int x) { switch (x) { case 1: return 1; } char *p = get(); free(p); p[0] = 1; return 0; }',
    ],
    [
      'use-after-free',
      'behind a loop of one round',
      'int f(void) { char *p = get(); do { free(p); } while (0); p[0] = 1; return 0; }',
    ],
    ['double-free', 'in a loop', 'void f(int n) { char *p = get(); for (int i = 0; i < n; i++) { use(i); free(p); } }'],
    [
      'null-followed',
      'in the first round',
      'int f(int n) { struct s *p = NULL; for (int i = 0; i < n; i++) { p->x = 1; p = get(); } return 0; }',
    ],
    [
      'leak',
      'of a block within a block',
      'int f(int x) { if (x) { char *p = malloc(3); if (p) p[0] = 1; } return 0; }',
    ],
    [
      'unchecked-length',
      'of a block of another size',
      'int f(int fd, int x) { uint32_t n = ntohl(x); char *p = malloc(9); if (!p) return 1; read(fd, p, n); free(p); return 0; }',
    ],
    [
      'out-of-bounds',
      'of an array whose size is written to the base of eight',
      'int f(void) { int a[010]; a[0] = 0; a[8] = 1; return a[0]; }',
    ],
    ['unset', 'a number is shifted', 'int f(int x) { int n; return x >> n; }'],
  ])('%s %s', (defect, _, code) => {
    expect(said(code)).toEqual([defect])
  })

  it('lose what they opened on several ways, which is told once, at the first of them', () => {
    const text =
      'int f(const char *p) { char b[9]; FILE *in = fopen(p, "r"); if (!in) return -1; if (!fgets(b, 9, in)) return -2; if (!fgets(b, 9, in)) return -3; return 0; }'
    const { reports } = analyzeAll(text)
    expect(reports.map(({ defect, start }) => [defect, text.slice(start, start + 9)])).toEqual([
      ['open-file', 'return -2'],
    ])
  })
})
