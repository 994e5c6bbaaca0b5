import { describe, expect, test } from 'vitest'
import { follow, sinkRule } from './follow.ts'

/** Whether input reaches `sink(…)` in the body of a function, with further code before it. */
function reaches(body: string, more = '', language = 'c'): boolean {
  const code = `#include <stdio.h>
${more}
int handle(int sock, char *other)
{
  char param[200];
  recv(sock, param, sizeof(param), 0);
  ${body}
  return 0;
}
`
  return follow(code, sinkRule(language)).matches.length > 0
}

const REACHES: [name: string, body: string, more?: string][] = [
  ['through a variable', 'char *a = param; sink(a);'],
  ['through strcpy and strcat', 'char a[300]; strcpy(a, "x"); strcat(a, param); sink(a);'],
  ['through a format', 'char a[300]; snprintf(a, sizeof a, "x %s", param); sink(a);'],
  ['behind the beginning of a buffer', 'char a[300] = "x "; memcpy(a + strlen(a), param, 10); sink(a);'],
  ['through a copy on the heap', 'char *a = strdup(param); sink(a);'],
  ['through a member', 'struct s s; s.a = param; sink(s.a);'],
  ['through a member behind a pointer', 'struct s *s = make(); s->a = param; sink(s->a);'],
  ['through a conditional', 'sink(other ? other : param);'],
  ['though one character of it is set', "param[9] = '\\0'; sink(param);"],
  ['in a loop', 'while (more()) { sink(param); }'],
  ['through a function of the file', 'sink(own(param));', 'static char *own(char *x) { return x + 1; }'],
  ['where a comparison is negated', 'if (strcmp(param, "a") != 0) sink(param);'],
  ['behind a label', 'if (bad()) goto out; out: sink(param);'],
]

const KEPT: [name: string, body: string, more?: string][] = [
  ['a variable is set anew', 'char *a = param; a = "x"; sink(a);'],
  ['a buffer is filled anew', 'strcpy(param, "x"); sink(param);'],
  ['a condition never holds', 'char *a = "x"; if (1 > 2) a = param; sink(a);'],
  ['a number is put into a format', 'char a[30]; int n = atoi(param); snprintf(a, sizeof a, "%d", n); sink(a);'],
  ['only its length is used', 'sink(strlen(param));'],
  ['it is the same as a fixed text', 'if (strcmp(param, "a") == 0) sink(param);'],
  ['anything but a fixed text is sent back', 'if (strcmp(param, "a")) return 1; sink(param);'],
  ['the program ends before', 'exit(1); sink(param);'],
  ['another element is taken', 'char *l[2] = { "x", param }; sink(l[0]);'],
]

describe('in C, input reaches a sink', () => {
  test.each(REACHES)('%s', (_, body, more) => {
    expect(reaches(body, more)).toBe(true)
  })
})

describe('in C, nothing is found where', () => {
  test.each(KEPT)('%s', (_, body, more) => {
    expect(reaches(body, more)).toBe(false)
  })
})

describe('in C++, input reaches a sink', () => {
  test.each([
    ['through a string', 'std::string a = "x "; a += param; sink(a.c_str());'],
    ['through a sum of strings', 'sink((std::string("x") + param).c_str());'],
    ['through a stream', 'std::ostringstream a; a << "x " << param << 1; sink(a.str());'],
    ['through a loop over elements', 'for (const auto &x : all(param)) sink(x);'],
  ])('%s', (_, body) => {
    expect(reaches(body, '', 'cpp')).toBe(true)
  })
})

describe('what C takes for input', () => {
  const taken = (kind: string, body: string, language = 'c') =>
    follow(`int main(int argc, char **argv) { char a[99]; ${body} }`, sinkRule(language, { sources: [kind] })).matches
      .length
  test.each([
    ['argument', 'sink(argv[1]);', 'c'],
    ['argument', 'getopt(argc, argv, "a:"); sink(optarg);', 'c'],
    ['environment', 'sink(getenv("HOME"));', 'c'],
    ['environment', 'sink(std::getenv("HOME"));', 'cpp'],
    ['request', 'sink(getenv("QUERY_STRING"));', 'c'],
    ['stdin', 'fgets(a, sizeof a, stdin); sink(a);', 'c'],
    ['stdin', 'scanf("%98s", a); sink(a);', 'c'],
    ['stdin', 'std::string w; std::cin >> w; sink(w);', 'cpp'],
    ['stdin', 'std::string w; std::getline(std::cin, w); sink(w);', 'cpp'],
    ['file', 'fgets(a, sizeof a, fp); sink(a);', 'c'],
  ])('%s: %s', (kind, body, language) => {
    expect(taken(kind, body, language)).toBe(1)
  })

  test('what the web server sets is no mere setting, and a setting no request', () => {
    expect(taken('environment', 'sink(getenv("QUERY_STRING"));')).toBe(0)
    expect(taken('request', 'sink(getenv("HOME"));')).toBe(0)
  })
})
