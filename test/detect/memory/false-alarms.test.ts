import { describe, expect, it } from 'vitest'
import { analyzeAll } from './defects.ts'

const found = (text: string) => analyzeAll(text).reports.map(({ defect }) => defect)

describe('sound functions of which nothing is said', () => {
  it('ask for the type of what a freed pointer points to', () => {
    const text = (use: string) =>
      `void f(struct node *n) { while (n) { struct entry *e; e = ${use}; n = next(n); free(e); } }`
    expect(found(`void f(struct node *n) { struct entry *e; free(n); e = entry(n->name); }`)).toContain(
      'use-after-free',
    )
    expect(found(text('container_of(n, typeof(*e), node)'))).toEqual([])
    expect(found('void f(struct node *n) { free(n); g(offsetof(struct node, a), __typeof__(n->a)); }')).toEqual([])
  })

  it('set elements in a loop that a macro heads, which looks like the type of an array', () => {
    const text = (body: string) =>
      `int f(void) { unsigned int *p = get_counts(); int last = 0; for_each_cpu(cpu) ${body} kfree(p); return last; }`
    expect(found(text('p[cpu] = count(cpu);'))).toEqual([])
    expect(found(text('last = count(cpu);'))).toEqual([])
    expect(found('int f(void) { int p[8]; for_each_cpu(cpu) p[cpu] = 1; free(p); return 0; }')).toEqual([
      'free-of-stack',
    ])
  })

  it('leave a loop without end only where they break it', () => {
    const text = (head: string) =>
      `int f(void) { int bad; struct s *a = get(); ${head} { a = get(); bad = go(a); if (bad == 0) break; free(a); if (bad) return bad; } return a->n; }`
    expect(found(text('while (1)'))).toEqual([])
    expect(found(text('for (;;)'))).toEqual([])
  })

  it('leave through a function of the file that is declared not to come back', () => {
    const text = (declaration: string) =>
      `${declaration}\nvoid g(struct s *p, int bad) { if (bad) { free(p); give_up("bad"); } p->n = 0; }`
    expect(found(text('void give_up(const char *);'))).toEqual(['use-after-free'])
    for (const declaration of [
      'static void PCAP_NORETURN give_up(const char *, ...);',
      'static void give_up(const char *) __attribute__((noreturn, format(printf, 1, 2)));',
      '_Noreturn void\ngive_up(const char *);',
      '#define X_NORETURN __attribute__((noreturn))\nX_NORETURN extern void give_up(const char *);',
      '__declspec(noreturn) void give_up(const char *);',
      'noreturn void give_up(const char *);',
    ])
      expect(found(text(declaration)), declaration).toEqual([])
    for (const statement of ['int no_return = give_up("");', 'int g2(int no_return) { return give_up(no_return); }'])
      expect(found(text(statement)), statement).toEqual(['use-after-free'])
  })

  it('leave through a function of the file whose last statement ends the program', () => {
    const text = (body: string) =>
      `static void scream(const char *why) ${body}\nvoid g(struct s *p, int bad) { if (bad) { free(p); scream("bad"); } p->n = 0; }`
    expect(found(text('{ puts(why); exit(1); }'))).toEqual([])
    expect(found(text('{ if (why) { puts(why); } exit(1); }'))).toEqual([])
    expect(
      found(`static void end_all(int n) { close_all(); _exit(n); }\n${text('{ puts(why); end_all(1); }')}`),
    ).toEqual([])
    for (const body of [
      '{ puts(why); }',
      '{ if (why) exit(1); }',
      '{ if (why) { exit(1); } }',
      '{ if (!why) return; exit(1); }',
      '{ puts(why);\n#ifdef HARD\nexit(1);\n#endif\n}',
    ])
      expect(found(text(body)), body).toEqual(['use-after-free'])
  })

  it('leave by a macro without arguments that says so, or by what throws', () => {
    const text = (leave: string) => `void g(struct s *p, int bad) { if (bad) { free(p); ${leave}; } p->n = 0; }`
    for (const leave of ['return_written', 'RETURN_NOTHING', '(Gds(empty) << *av).raise()', 'error->rethrow()'])
      expect(found(text(leave)), leave).toEqual([])
    for (const leave of ['bad', 'return_if_bad', 'list.append(bad)', 'hand.raised'])
      expect(found(text(leave)), leave).toEqual(['use-after-free'])
  })

  it('may leave by a macro of a header at the end of a block', () => {
    const text = (end: string, before = '') =>
      `${before}void g(struct s *p, int bad) { if (bad) { free(p); ${end} } p->n = 0; }`
    for (const end of ['WRONG_USE;', 'LEAST_WORDS(3, "add");']) expect(found(text(end)), end).toEqual([])
    // What stands before another statement, or is a macro of the file that goes on, leaves nothing.
    expect(found(text('LOG_LINE("bad"); count++;'))).toEqual(['use-after-free'])
    expect(found(text('LOG_LINE("bad");', '#define LOG_LINE(x) puts(x)\n'))).toEqual(['use-after-free'])
  })

  it('close the descriptor below a stream', () => {
    const text = (close: string) =>
      `int f(int fd, int other) { char b[9]; FILE *in = fdopen(fd, "r"); if (!in) return -1; fgets(b, 9, in); ${close} return 0; }`
    expect(found(text('close(fd);'))).toEqual([])
    expect(found(text('close(other);'))).toEqual(['open-file'])
  })

  it('ask a macro whether a pointer is NULL', () => {
    const text = (test: string) =>
      `int f(void) { char *b = malloc(9); if (${test}) return -1; b[0] = 1; keep(b); return 0; }`
    expect(found(text('CHECK(!b, "no memory")'))).toEqual([])
    expect(found(text('FAILED(b == NULL)'))).toEqual([])
    expect(
      found(
        'int f(void) { char *b = malloc(9); if (!b) return -1; if (CHECK(go(1), "x")) return -1; free(b); return 0; }',
      ),
    ).toEqual(['leak'])
  })

  it('end the thread where they free what it was made with', () => {
    expect(found('int f(struct c *c) { if (c->bad) { kfree(c); kthread_exit(-1); } c->n = 1; return 0; }')).toEqual([])
  })

  it('read by a format that is written elsewhere', () => {
    expect(found('int f(char *s) { int at; sscanf(s, FORMAT, &at); return s[at]; }')).toEqual([])
    expect(found('int f(char *s) { int at; sscanf(s, "%d", &at); return s[at]; }')).toEqual(['unchecked-index'])
  })

  it('return a block by the copy into it', () => {
    expect(
      found('char *f(char *s, int n) { char *c = malloc(n); if (c) return memcpy(c, s, n); return NULL; }'),
    ).toEqual([])
  })

  it('keep a place beside a block', () => {
    expect(found('void *f(int n) { char *b = malloc(n + 16); if (!b) return 0; char *r = b + 8; return r; }')).toEqual(
      [],
    )
    expect(
      found(
        'void *f(int n) { void *r; char *b = malloc(n + 16); if (!b) return 0; r = (void *)((char *)b + 8); return r; }',
      ),
    ).toEqual([])
  })

  it('divide by a number with a fraction', () => {
    const text = (type: string, sign: string) =>
      `double f(char *s) { ${type} n; sscanf(s, "%${sign}", &n); return 1 / n; }`
    expect(found(text('double', 'lf'))).toEqual([])
    expect(found(text('int', 'd'))).toEqual(['division'])
  })

  it('leave by a macro that returns', () => {
    expect(
      found('int f(int bad) { char *b = get(); if (bad) { free(b); return_error(-1); } b[0] = 1; return 0; }'),
    ).toEqual([])
  })

  it('leave by a macro of the file that throws or ends the program in any case', () => {
    const text = (macro: string) =>
      `#define FAILED(x) ${macro}\nint f(struct c *c) { if (c->bad) { kfree(c); FAILED("bad"); } c->n = 1; return 0; }`
    expect(found(text('do { log_line(x); abort(); } while (0)'))).toEqual([])
    expect(found(text('log_line(x); \\\n  exit(1)'))).toEqual([])
    expect(found(text('log_line(x)'))).toEqual(['use-after-free'])
    expect(found(text('if (!ready) return -1'))).toEqual(['use-after-free'])
    expect(found(text('(ready || (abort(), 0))'))).toEqual(['use-after-free'])
    // Words that are only said, or stand in another function, end nothing.
    expect(found(text('log_line("return %d: " x)'))).toEqual(['use-after-free'])
    expect(found(text('log_line(x) /* no return */'))).toEqual(['use-after-free'])
    expect(found(text('log_line(x) // abort() came before'))).toEqual(['use-after-free'])
    expect(found(text('later([&](int n) { return n; })'))).toEqual(['use-after-free'])
  })

  it('follow the one before in a list where they are not at its head', () => {
    expect(
      found(
        'void f(struct n *p) { struct n *prev = NULL; while (go()) { if (p != head) { prev->next = p->next; } prev = p; } }',
      ),
    ).toEqual([])
  })

  it('copy what was written with the room of where it goes', () => {
    const text = (size: string) =>
      `void f(void) { char from[100]; char to[80]; if (!strftime(from, ${size}, "%p", now())) return; strcpy(to, from); }`
    expect(found(text('sizeof to'))).toEqual([])
    expect(found(text('sizeof from'))).toEqual(['overflow'])
  })
})

describe('a pointer that outlives the function', () => {
  it('is not lost where it is declared static within it', () => {
    const text = (kept: string) =>
      `int f(const char *url) { ${kept}char *last = 0; free(last); last = strdup(url); return 0; }`
    expect(found(text(''))).toContain('leak')
    expect(found(text('static '))).toEqual([])
  })
})
