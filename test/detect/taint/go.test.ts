import { describe, expect, test } from 'vitest'
import { follow, sinkRule } from './follow.ts'

/** Whether input reaches `out.sink(…)` in the body of a handler, with further code beside it. */
function reaches(body: string, more = ''): boolean {
  const code = `package a
import ("net/http"; "strconv"; "fmt")
func handle(w http.ResponseWriter, r *http.Request) {
  param := r.FormValue("p")
  ${body}
}
${more}
`
  return follow(code, sinkRule('go')).matches.length > 0
}

const REACHES: [name: string, body: string, more?: string][] = [
  ['through a variable', 'a := param\nout.sink(a)'],
  ['through a concatenation in steps', 'a := "x"\na += param\nout.sink(a)'],
  ['through a format', 'out.sink(fmt.Sprintf("a %s", param))'],
  ['through a conversion', 'out.sink([]byte(param))'],
  ['through several targets', 'a, b := "x", param\nout.sink(b + a)'],
  ['through a slice', 'l := []string{"x", param}\nout.sink(l[1])'],
  ['through a map', 'm := map[string]string{"a": param}\nout.sink(m["a"])'],
  ['through a loop', 'for _, x := range []string{param} { out.sink(x) }'],
  ['through a switch', 'a := param\nswitch flag() {\ncase 1:\n  a = "x"\n}\nout.sink(a)'],
  [
    'through a function of the file',
    'a, err := own(param)\nout.sink(a)',
    'func own(x string) (string, error) { return "a" + x, nil }',
  ],
  ['through a function within the handler', 'own := func() string { return param }\nout.sink(own())'],
  ['from the address', 'out.sink(r.URL.Query().Get("a"))'],
  ['from a header', 'out.sink(r.Header.Get("A"))'],
]

const KEPT: [name: string, body: string, more?: string][] = [
  ['a variable is set anew', 'a := param\na = "x"\nout.sink(a)'],
  ['a condition never holds', 'a := "x"\nif 1 > 2 { a = param }\nout.sink(a)'],
  ['another element is taken', 'l := []string{"x", param}\nout.sink(l[0])'],
  ['only a number is used', 'n, err := strconv.Atoi(param)\nout.sink(n)'],
  ['only its length is used', 'out.sink(len(param))'],
  ['the function returns something else', 'out.sink(own(param))', 'func own(x string) string { return "a" }'],
]

describe('in Go, input reaches a sink', () => {
  test.each(REACHES)('%s', (_, body, more) => {
    expect(reaches(body, more)).toBe(true)
  })
})

describe('in Go, nothing is found where', () => {
  test.each(KEPT)('%s', (_, body, more) => {
    expect(reaches(body, more)).toBe(false)
  })
})

test.each([
  ['within the function', 's := &store{}\n  s.put(r.FormValue("a"))', ''],
  ['in a variable of the package', 'shared.put(r.FormValue("a"))', 'var shared = &store{}'],
])('a method of a struct that is made %s is entered', (_, body, more) => {
  const code = `package a
import "net/http"
type store struct{ out Out }
func (s *store) put(name string) { s.out.sink(name) }
${more}
func h(w http.ResponseWriter, r *http.Request) {
  ${body}
}
`
  expect(follow(code, sinkRule('go')).matches).toHaveLength(1)
})

test('a function that is handed to the router is a handler', () => {
  const code = `package a
import "net/http"
func main() {
  http.HandleFunc("/x", func(w http.ResponseWriter, r *http.Request) { out.sink(r.FormValue("a")) })
}
`
  expect(follow(code, sinkRule('go')).matches).toHaveLength(1)
})
