import { describe, expect, test } from 'vitest'
import { follow, sinkRule } from './follow.ts'

/** Whether input reaches `Sink(…)` or the text of a command in the body of an action, with further members beside it. */
function reaches(body: string, members: string): boolean {
  const code = `using System;
namespace N { public class AController : Controller { readonly string own = "a";
 public IActionResult Index(string param, int n) {
 ${body}
 return View(); }
 ${members} } }`
  const rule = sinkRule('csharp', {
    sinks: [{ calls: ['*.Sink', 'Sink'], arguments: [0] }, { writes: ['*.CommandText'] }],
  })
  return follow(code, rule).matches.length > 0
}

const REACHES: [name: string, body: string][] = [
  ['as it is', 'Sink(param);'],
  ['through a pair that is taken apart', 'var (a, _) = Split(param); Sink(a);'],
  ['through elements that are taken apart', 'foreach (var (k, v) in Pairs(param)) { Sink(v); }'],
  ['through a concatenation', 'var a = "x" + param; Sink(a);'],
  ['through an interpolated text', 'Sink($"a {param} b");'],
  [
    'where the object itself is cast, chosen and handed on',
    'var p = (IPeer) this; Take(n > 1 ? this : null, this); Sink(param);',
  ],
  ['through a format', 'Sink(string.Format("a {0}", param));'],
  ['from the query', 'Sink(Request.Query["x"]);'],
  ['from a form', 'Sink(Request.Form["x"].ToString());'],
  ['from a cookie', 'Sink(HttpContext.Request.Cookies["x"].Value);'],
  ['through a list', 'var l = new List<string> { "x", param }; Sink(l[1]);'],
  ['through a map', 'var d = new Dictionary<string,string>(); d["a"] = param; Sink(d["a"]);'],
  ['through a map written out', 'var d = new Dictionary<string,string> { ["a"] = param }; Sink(d["a"]);'],
  ['through a text under construction', 'var sb = new StringBuilder("a"); sb.Append(param); Sink(sb.ToString());'],
  ['through what new() makes', 'StringBuilder sb = new(); sb.AppendLine(param); Sink(sb.ToString());'],
  ['through a property of what is used', 'using (var c = new Cmd()) { c.CommandText = param; }'],
  ['through a member written out', 'var c = new Cmd { CommandText = "a" + param };'],
  ['through a property', 'using var c = conn.CreateCommand(); c.CommandText = $"x {param}";'],
  ['through a switch as a value', 'var t = n switch { 1 => "x", _ => param }; Sink(t);'],
  ['through a switch', 'switch (n) { case 1: own2 = "x"; break; default: own2 = param; break; } Sink(own2);'],
  ['through a loop', 'foreach (var q in param.Split(",")) { Sink(q); }'],
  ['through ?.', 'Sink(param?.Trim());'],
  ['through ??', 'Sink(param ?? "x");'],
  ['through a conditional', 'Sink(n > 3 ? param : "x");'],
  ['in a try', 'try { Sink(param); } catch (Exception e) { }'],
  ['through a lambda', 'Func<string,string> f = x => x + "a"; Sink(f(param));'],
  ['through a method', 'Sink(Own(param));'],
  ['through a local function', 'string L(string h) { return h; } Sink(L(param));'],
  ['after a check that it is there', 'if (string.IsNullOrEmpty(param)) return BadRequest(); Sink(param);'],
  ['through a path', 'Sink(Path.Combine("a", param));'],
  ['through casts', 'var a = (string)param; Sink(a as string);'],
  ['through await', 'Sink(await Task.FromResult(param));'],
  ['in a loop', 'for (var i = 0; i < n; i++) { Sink(param); }'],
  ['from the request itself', 'var x = Request["a"]; Sink(x);'],
  ['in a method of something new', 'new Thing().Sink(param.ToLower());'],
]

const KEPT: [name: string, body: string][] = [
  ['it is a number', 'Sink(n);'],
  ['a number is made of it', 'Sink(int.Parse(param));'],
  ['a variable is set anew', 'var a = param; a = "x"; Sink(a);'],
  ['a condition never holds', 'if (7 * 42 - 86 > 300) Sink(param);'],
  ['another element is taken', 'var l = new List<string> { "x", param }; Sink(l[0]);'],
  ['another key is taken', 'var d = new Dictionary<string,string> { ["a"] = param, ["b"] = "x" }; Sink(d["b"]);'],
  ['it is equal to a fixed text', 'if (param == "a") { Sink(param); }'],
  ['it is one of what is allowed', 'if (!Allowed.Contains(param)) return BadRequest(); Sink(param);'],
  ['only the number is used', 'if (int.TryParse(param, out var num)) Sink(num);'],
  ['the method returns something else', 'Sink(Own(param));'],
  ['an expression fits all of it', 'if (!Regex.IsMatch(param, "^[a-z]+$")) return BadRequest(); Sink(param);'],
  ['a switch comes to another case', 'var t = "b" switch { "a" => param, _ => "x" }; Sink(t);'],
  ['only its length is used', 'Sink(param.Length);'],
  ['it is looked up', 'Sink(Known[param]);'],
  ['it stands in a comment', '// Sink(param);\n'],
  ['only a text is named so', 'Sink("param");'],
  ['an identifier is made of it', 'var g = Guid.Parse(param); Sink(g.ToString());'],
]

describe('in C#, input reaches a sink', () => {
  test.each(REACHES)('%s', (_, body) => {
    expect(reaches(body, 'private string Own(string a) => a + "x";')).toBe(true)
  })
})

describe('in C#, input does not reach a sink where', () => {
  test.each(KEPT)('%s', (_, body) => {
    expect(reaches(body, 'private string Own(string a) => "x";')).toBe(false)
  })
})

test('a public method is an action where an attribute gives it an address, whatever its class and its answer', () => {
  const find = (method: string) =>
    follow(`class A { ${method} }`, sinkRule('csharp', { sinks: [{ calls: ['Sink'], arguments: [0] }] })).matches
  expect(find('[HttpPost("/a")] public string Add(string name) { Sink(name); return name; }')).toHaveLength(1)
  expect(find('[Route("/a")] public void Add(string name) { Sink(name); }')).toHaveLength(1)
  expect(find('[HttpPost("/a")] private void Add(string name) { Sink(name); }')).toEqual([])
  expect(find('[HttpPost("/a")] public static void Add(string name) { Sink(name); }')).toEqual([])
  expect(find('[Obsolete] public void Add(string name) { Sink(name); }')).toEqual([])
})
