import { describe, expect, it } from 'vitest'
import { findDefects } from './defects.ts'

// Each case is written from what CWE, the C standard or CERT C describe.

describe('a size that wraps around or is cut (CWE-190, CWE-680, CWE-681, INT30-C, INT31-C, MEM35-C)', () => {
  it.each([
    [
      'the product is kept in a variable',
      'allocation-overflow',
      'int *f(char **argv) { unsigned n = strtoul(argv[1], NULL, 10); unsigned bytes = n * sizeof(int); int *p = malloc(bytes); if (!p) abort(); return p; }',
    ],
    [
      'a sum is part of it',
      'allocation-overflow',
      'char *f(FILE *in) { uint32_t n; if (fread(&n, 4, 1, in) != 1) return NULL; uint32_t all = n * 8 + 16; char *p = malloc(all); return p; }',
    ],
    [
      'the number is shifted',
      'allocation-overflow',
      'char *f(uint32_t wire) { uint32_t n = ntohl(wire); char *p = malloc(n << 4); return p; }',
    ],
    [
      'the number goes through a second variable',
      'allocation-overflow',
      'char *f(void) { int n; scanf("%d", &n); int rows = n; char *p = malloc(rows * 64); return p; }',
    ],
    [
      'a length of a text is cut to 16 bits',
      'unsure-size',
      'char *f(const char *s) { unsigned short n = strlen(s); char *p = malloc(n + 1); if (p) strcpy(p, s); return p; }',
    ],
    [
      'a length is cut by a cast',
      'unsure-size',
      'char *f(const char *s) { size_t n = strlen(s); uint8_t all = (uint8_t)(n + 1); char *p = malloc(all); if (p) memcpy(p, s, n); return p; }',
    ],
    [
      'a parameter is a factor',
      'unsure-size',
      'struct s *f(unsigned n) { struct s *p = malloc(n * sizeof(struct s)); if (!p) return NULL; return p; }',
    ],
    [
      'both factors are parameters',
      'unsure-size',
      'void *f(size_t n, size_t each) { void *p; p = malloc(each * n); return p; }',
    ],
    [
      'a record that was read has the factor',
      'unsure-size',
      'void *f(FILE *in) { struct head h; if (fread(&h, sizeof h, 1, in) != 1) return NULL; void *p = malloc(h.rows * h.width); return p; }',
    ],
  ])('is found where %s', (_, defect, code) => {
    expect(findDefects(code)).toEqual([defect])
  })

  it.each([
    [
      'the number was compared before',
      'int *f(char **argv) { unsigned n = strtoul(argv[1], NULL, 10); if (n > 4096) return NULL; unsigned bytes = n * sizeof(int); int *p = malloc(bytes); return p; }',
    ],
    [
      'the product was compared',
      'int *f(char **argv) { size_t n = strtoul(argv[1], NULL, 10); size_t bytes = n * sizeof(int); if (bytes > LIMIT) return NULL; int *p = malloc(bytes); return p; }',
    ],
    [
      'the largest size is divided by it',
      'void *f(size_t n, size_t each) { if (each && n > SIZE_MAX / each) return NULL; void *p = malloc(n * each); return p; }',
    ],
    [
      'the multiplication is checked',
      'void *f(size_t n, size_t each) { size_t all; if (__builtin_mul_overflow(n, each, &all)) return NULL; void *p = malloc(all); return p; }',
    ],
    [
      'only what the file itself calls has the parameter',
      'static void *f(unsigned n) { void *p = malloc(n * 8); return p; }',
    ],
    ['the factor has few bits', 'void *f(unsigned char n) { void *p = malloc(n * 8); return p; }'],
    [
      'the rest of a division is kept',
      'char *f(char **argv) { unsigned n = strtoul(argv[1], NULL, 10); unsigned few = n % 16; char *p = malloc(few * 8); return p; }',
    ],
    [
      'the length that is cut was compared',
      'char *f(const char *s) { size_t n = strlen(s); if (n > 255) return NULL; unsigned char k = n; char *p = malloc(k + 1u); return p; }',
    ],
    [
      'a field of the record was compared',
      'void *f(FILE *in) { struct head h; if (fread(&h, sizeof h, 1, in) != 1) return NULL; if (h.rows > 99) return NULL; void *p = malloc(h.rows * 8); return p; }',
    ],
    [
      'the factors are as wide as the size',
      'void *f(const char *s) { size_t n = strlen(s); void *p = malloc(n * 2 + 1); return p; }',
    ],
    [
      'an unsigned number that was compared is kept as a signed one',
      'int f(char **argv) { int a[10] = {0}; unsigned n = strtoul(argv[1], NULL, 10); if (n >= 10) return 0; int i = n; return a[i]; }',
    ],
  ])('is not where %s', (_, code) => {
    expect(findDefects(code)).toEqual([])
  })
})

describe('a write through a pointer to a local array (CWE-121, CWE-787, ARR38-C, STR31-C)', () => {
  it.each([
    [
      'of more than it holds',
      'overflow',
      'void f(const char *s) { char b[16]; char *p = b; memcpy(p, s, 32); use(b); }',
    ],
    [
      'behind its first elements',
      'overflow',
      'void f(const char *s) { char b[16]; char *p = b + 8; memcpy(p, s, 12); use(b); }',
    ],
    [
      'from the address of an element',
      'overflow',
      'void f(const char *s) { char b[16]; char *p = &b[8]; memmove(p, s, 9); use(b); }',
    ],
    ['given at once', 'overflow', 'void f(const char *s) { char b[16]; memcpy(b + 10, s, 8); use(b); }'],
    ['assigned later', 'overflow', 'void f(void) { int b[4]; void *p; p = b; memset(p, 0, 20); use(b); }'],
    [
      'by a copy of a pointer',
      'overflow',
      'void f(const char *s) { char b[8]; char *p = b; char *q = p; strncpy(q, s, 9); use(b); }',
    ],
    [
      'of a text of any length',
      'unbounded-copy',
      'void f(const char *s) { char b[16]; char *p = b; strcpy(p, s); use(b); }',
    ],
    [
      'of an argument of the program',
      'unbounded-copy',
      'int main(int argc, char **argv) { char b[16]; char *p = &b[0]; strcpy(p, argv[1]); return b[0]; }',
    ],
    [
      'of a variable of the environment',
      'unbounded-copy',
      'void f(void) { char b[64] = "/"; char *end = b + 1; strcat(end, getenv("HOME")); use(b); }',
    ],
  ])('is found: %s', (_, defect, code) => {
    expect(findDefects(code)).toEqual([defect])
  })

  it.each([
    ['as much as it holds', 'void f(const char *s) { char b[16]; char *p = b; memcpy(p, s, 16); use(b); }'],
    ['as much as is left', 'void f(const char *s) { char b[16]; char *p = b + 8; memcpy(p, s, 8); use(b); }'],
    [
      'to a place that moves',
      'void f(const char *s) { char b[16]; char *p = b; p += skip(p); memcpy(p, s, 16); use(b); }',
    ],
    [
      'to a larger block by then',
      'void f(const char *s) { char b[16]; char *p = b; if (!(p = malloc(99))) return; memcpy(p, s, 32); free(p); use(b); }',
    ],
    [
      'a text that was measured',
      'void f(const char *s) { char b[16]; char *p = b; if (strlen(s) > 15) return; strcpy(p, s); use(b); }',
    ],
    ['a text that is written out', 'void f(void) { char b[16]; char *p = b; strcpy(p, "short"); use(b); }'],
    [
      'a text that only the file itself gives',
      'static void f(const char *s) { char b[16]; char *p = b; strcpy(p, s); use(b); }',
    ],
    ['elements of another size', 'void f(const int *s) { int b[16]; int *p = b + 8; memcpy(p, s, 32); use(b); }'],
  ])('is not where it is %s', (_, code) => {
    expect(findDefects(code)).toEqual([])
  })
})

describe('what one branch alone says (CWE-131, CWE-787, CWE-129, CWE-476)', () => {
  it.each([
    ['a length', 'overflow', 'void f(int x) { char b[50]; int n = 20; if (x) n = 100; memset(b, 0, n); use(b); }'],
    [
      'a length, of two',
      'overflow',
      'void f(int x, const char *s) { char b[50]; size_t n; if (x) { n = 60; } else { n = 40; } memcpy(b, s, n); use(b); }',
    ],
    ['an index', 'out-of-bounds', 'int f(int x) { int a[10] = {0}; int i = 0; if (x) i = 10; return a[i]; }'],
    [
      'an index, by a switch',
      'out-of-bounds',
      'int f(int x) { int a[4] = {0}; int i; switch (x) { case 1: i = 1; break; default: i = 4; break; } return a[i]; }',
    ],
    [
      'a size',
      'overflow',
      'void f(int x, const char *s) { char *p; if (x) p = malloc(10); else p = malloc(99); if (!p) return; memcpy(p, s, 50); free(p); }',
    ],
    [
      'a length by a condition in a value',
      'overflow',
      'void f(int x) { char b[8]; int n = x ? 4 : 16; memset(b, 0, n); use(b); }',
    ],
    [
      'a number from outside',
      'unchecked-index',
      'int f(int argc, char **argv) { int a[8] = {0}; int i = 0; if (argc > 1) i = atoi(argv[1]); return a[i]; }',
    ],
    [
      'a length from outside',
      'unchecked-length',
      'void f(int x, uint32_t w, char *to, const char *from) { unsigned n; if (x) n = ntohl(w); else n = 4; memcpy(to, from, n); }',
    ],
    ['NULL', 'maybe-null', 'int f(int x) { struct s *p = NULL; if (x > 3) p = get(x); return p->a; }'],
    [
      'NULL, in the other branch',
      'maybe-null',
      'int f(int x, int *q) { int *p; if (x) { p = q; } else { p = NULL; } return *p; }',
    ],
  ])('is found: %s', (_, defect, code) => {
    expect(findDefects(code)).toEqual([defect])
  })

  it.each([
    [
      'each branch has room for its own',
      'void f(int x, const char *s) { char *p; int n; if (x) { p = malloc(10); n = 10; } else { p = malloc(99); n = 99; } if (!p) return; memcpy(p, s, n); free(p); }',
    ],
    [
      'the length is asked for behind',
      'void f(int x) { char b[50]; int n = 20; if (x) n = 100; if (n <= 50) memset(b, 0, n); use(b); }',
    ],
    [
      'the length is cut behind',
      'void f(int x) { char b[50]; int n = 20; if (x) n = 100; if (n > (int)sizeof(b)) n = sizeof(b); memset(b, 0, n); use(b); }',
    ],
    [
      'the same is asked again',
      'void f(int x) { char b[50]; int n = 20; if (x) n = 100; if (!x) memset(b, 0, n); use(b); }',
    ],
    [
      'a loop counts',
      'int f(int x) { int a[10] = {0}; int i; for (i = 0; i < 10; i++) a[i] = x; i = 0; while (a[i] == x && i < 9) i++; return a[i]; }',
    ],
    [
      'the number is checked where it is read',
      'int f(int argc, char **argv) { int a[8] = {0}; int i = 0; if (argc > 1) { i = atoi(argv[1]); if (i < 0 || i > 7) return 0; } return a[i]; }',
    ],
    ['a helper may change it', 'int f(int x) { int a[10] = {0}; int i = 10; settle(&i); return a[i]; }'],
    [
      'the pointer is asked for',
      'int f(int x) { struct s *p = NULL; if (x > 3) p = get(x); if (!p) return 0; return p->a; }',
    ],
    [
      'the pointer is asked for by what set it',
      'int f(int x) { struct s *p = NULL; if (x > 3) p = get(x); if (x > 3) return p->a; return 0; }',
    ],
    ['all branches set it', 'int f(int x) { struct s *p = NULL; if (x) p = get(1); else p = get(2); return p->a; }'],
    [
      'a loop looks for it',
      'int f(int n) { struct s *p = NULL; for (int i = 0; i < n; i++) { if (is(i)) p = at(i); } return p->a; }',
    ],
    ['the branch leaves', 'int f(int x) { struct s *p = NULL; if (x) p = get(1); else return 1; return p->a; }'],
    [
      'a flag says that it was checked where it is read',
      'int f(const char *t) { int a[8] = {0}; int ok = 0; unsigned long n; if (more() && (n = strtoul(t, NULL, 10)) < 8) ok = 1; if (ok) return a[n]; return 0; }',
    ],
  ])('is not where %s', (_, code) => {
    expect(findDefects(code)).toEqual([])
  })
})
