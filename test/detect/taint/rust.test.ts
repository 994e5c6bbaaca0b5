import { describe, expect, test } from 'vitest'
import { follow, sinkRule } from './follow.ts'

/** Whether input reaches `out.sink(…)` in the body of a handler, with further code beside it. */
function reaches(body: string, more = ''): boolean {
  const code = `use axum::extract::Query;
async fn handle(Query(param): Query<String>, out: Out) -> Result<(), Error> {
  ${body}
  Ok(())
}
${more}
`
  return follow(code, sinkRule('rust')).matches.length > 0
}

const REACHES: [name: string, body: string, more?: string][] = [
  ['through a variable', 'let a = &param; out.sink(a);'],
  ['through a format with places', 'out.sink(format!("a {} {}", 1, param));'],
  ['through a format with names', 'out.sink(format!("a {param} {x}", x = 1));'],
  ['through a format with positions', 'out.sink(format!("{1} {0}", param, 2));'],
  ['through a named value of a format', 'out.sink(format!("{name}", name = param.trim()));'],
  ['through what is appended', 'let mut a = String::from("x"); a.push_str(&param); out.sink(a);'],
  ['through a sum', 'let mut a = "x".to_string() + &param; a += "y"; out.sink(&a);'],
  ['through a tuple', 'let (a, b) = ("x", param); out.sink(b);'],
  ['through a struct that is written out', 'let a = Pair { x: param, y: 1 }; out.sink(a.x);'],
  ['through a struct that is taken apart', 'let Pair { x: held, .. } = Pair { x: param, y: 1 }; out.sink(held);'],
  ['through let … else', 'let Some(a) = param.strip_prefix("x") else { return Ok(()) }; out.sink(a);'],
  ['through if let', 'if let Some(a) = param.get(1..) { out.sink(a); }'],
  ['through if let within a chain', 'if flag && let Some(a) = param.get(1..) { out.sink(a); }'],
  ['through while let', 'let mut parts = param.split(","); while let Some(a) = parts.next() { out.sink(a); }'],
  ['through a match', 'match param.split_once("=") { Some((key, value)) => out.sink(value), None => {} }'],
  ['through a match as a value', 'let a = match flag { 1 => param, _ => "x".into() }; out.sink(a);'],
  ['through an arm that names the rest', 'match param.as_str() { "a" => {}, other => out.sink(other) }'],
  ['through if as a value', 'let a = if flag { param.clone() } else { String::new() }; out.sink(a);'],
  ['through a block', 'let a = { let b = param; b.trim().to_string() }; out.sink(a);'],
  ['through a loop', 'for each in [param.as_str(), "x"] { out.sink(each); }'],
  ['through a closure', 'let f = |a: &str| format!("{a}!"); out.sink(f(&param));'],
  ['through a closure that is handed on', 'out.sink(Some(param).map(|a| a.to_uppercase()).unwrap());'],
  ['through methods that keep the value', 'out.sink(Arc::new(param).as_ref().clone().into_boxed_str());'],
  ['through a fallback', 'out.sink(std::env::var("A").ok().unwrap_or(param));'],
  ['through an error that is asked for', 'let a = check(&param).map_err(|e| Error(e))?; out.sink(a);'],
  ['through an async block', 'let a = async move { param }.await; out.sink(a);'],
  ['through vec!', 'let list = vec!["x", &param]; out.sink(list[1]);'],
  ['through write!', 'let mut a = String::new(); write!(a, "{}", param)?; out.sink(a);'],
  ['through concat', 'out.sink(["a", &param].concat());'],
  [
    'through a function of the file',
    'out.sink(own(&param));',
    'fn own(a: &str) -> String { if a.is_empty() { return "x".into(); } a.trim().to_string() }',
  ],
  [
    'through a function that may fail',
    'out.sink(own(&param)?);',
    'fn own(a: &str) -> Result<String, E> { Ok(a.into()) }',
  ],
  [
    'through an object of a type of the file',
    'let object = Own::new(param); out.sink(object.text());',
    'struct Own { text: String }\nimpl Own { fn new(text: String) -> Self { Self { text } }\nfn text(&self) -> &str { &self.text } }',
  ],
  [
    'through a method of a trait',
    'out.sink(Own.text(&param));',
    'struct Own;\nimpl Tr for Own { fn text(&self, a: &str) -> String { a.into() } }',
  ],
]

const KEPT: [name: string, body: string, more?: string][] = [
  ['a variable is declared anew', 'let param = "x"; out.sink(param);'],
  ['a variable is set anew', 'let mut a = param; a = "x".into(); out.sink(a);'],
  ['another part of a pair is taken', 'let (a, b) = ("x", param); out.sink(a);'],
  ['another element is taken', 'let list = vec!["x", &param]; out.sink(list[0]);'],
  ['another field is taken', 'let a = Pair { x: param, y: "x" }; out.sink(a.y);'],
  ['it is parsed to a number', 'let a: u32 = param.parse()?; out.sink(a);'],
  ['it is parsed to a number, said at the call', 'let a = param.parse::<i64>().unwrap_or(0); out.sink(a);'],
  ['it is compared with fixed texts', 'if !["a", "b"].contains(&param.as_str()) { return Ok(()) } out.sink(param);'],
  ['it is matched with fixed texts', 'match param.as_str() { "a" | "b" => out.sink(&param), _ => {} }'],
  ['it is one of fixed texts', 'if matches!(param.as_str(), "a" | "b") { out.sink(&param); }'],
  ['it is equal to a fixed text', 'if param == "a" { out.sink(&param); }'],
  ['each of its characters is checked', 'if param.chars().all(char::is_alphanumeric) { out.sink(&param); }'],
  ['only its length is used', 'out.sink(param.len());'],
  [
    'only an error tells of it',
    'let a = fails(&param).unwrap_or("x"); out.sink(a);',
    'fn fails(a: &str) -> Result<&str, String> { Err(format!("no {a}")) }',
  ],
  [
    'the error is caught',
    'match fails(&param) { Ok(a) => {}, Err(e) => out.sink(e) }',
    'fn fails(a: &str) -> Result<u32, String> { Err(format!("no {a}")) }',
  ],
  ['the function gives something else', 'out.sink(own(&param));', 'fn own(a: &str) -> &str { "a" }'],
  ['braces of a format are doubled', 'out.sink(format!("{{param}} {}", 1));'],
]

describe('in Rust, input reaches a sink', () => {
  test.each(REACHES)('%s', (_, body, more) => {
    expect(reaches(body, more)).toBe(true)
  })
})

describe('in Rust, nothing is found where', () => {
  test.each(KEPT)('%s', (_, body, more) => {
    expect(reaches(body, more)).toBe(false)
  })
})

describe('in Rust, the call that a library names is found', () => {
  const asked = sinkRule('rust', { sinks: [{ calls: ['acme.db.run'], arguments: [0] }] })
  const at = (uses: string, call: string) =>
    follow(`use axum::extract::Query;\n${uses}\nasync fn f(Query(q): Query<String>) { ${call}; }`, asked).matches.length

  test.each([
    ['by its full path', '', 'acme::db::run(&q)'],
    ['by an import', 'use acme::db::run;', 'run(&q)'],
    ['by an import of its module', 'use acme::db;', 'db::run(&q)'],
    ['by another name', 'use acme::db::run as go;', 'go(&q)'],
    ['by lists within lists', 'use acme::{other, db::{self, run}};', 'run(&q)'],
    ['by a module that is re-exported', 'pub use acme::db as store;', 'store::run(&q)'],
    ['with type arguments', 'use acme::db::run;', 'run::<u32>(&q)'],
    ['within a function', '', 'use acme::db::run; run(&q)'],
  ])('%s', (_, uses, call) => {
    expect(at(uses, call)).toBe(1)
  })

  test('and not one of another module', () => {
    expect(at('use other::db::run;', 'run(&q)')).toBe(0)
  })
})

test('an extractor that is not taken apart is called through', () => {
  const code = `use axum::{extract::Query, Json};
struct Find { name: String, id: u32 }
async fn a(query: Query<Find>, out: Out) { out.sink(&query.0.name); }
async fn b(query: Query<Find>, out: Out) { out.sink(query.id); }`
  expect(follow(code, sinkRule('rust')).matches.map(({ line }) => line)).toEqual([3])
})

test('code that is not Rust at all is lowered to something', () => {
  for (const code of [
    'fn f( { let = ; match { => } }',
    'impl { fn',
    'use ::{a::{b, *}, };',
    'fn f() { format!("{", ); vec![; }',
  ])
    expect(
      follow(`use axum::extract::Query;\n${code}\nfn g(Query(q): Query<String>) { out.sink(q) }`, sinkRule('rust'))
        .failures,
    ).toEqual([])
})
