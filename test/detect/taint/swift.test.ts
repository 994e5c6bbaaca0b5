import { describe, expect, test } from 'vitest'
import { follow, sinkRule } from './follow.ts'

/** Whether a parameter of a request to Vapor reaches `sink(…)` in the body of a handler, with further members beside it. */
function reaches(body: string, members = ''): boolean {
  const code = `import Vapor
struct Controller: RouteCollection {
  let out: Out
  func show(req: Request) async throws -> String {
    let param: String = req.query["p"] ?? ""
    ${body}
  }
  ${members}
}
`
  return follow(code, sinkRule('swift')).matches.length > 0
}

/** Input reaches the sink: a name, the handler's body, further members. */
const REACHES: [name: string, body: string, members?: string][] = [
  ['through a constant', 'let a = param\nout.sink(a)'],
  ['through a variable that grows', 'var a = "x"\na += param\nout.sink(a)'],
  ['through an interpolation', 'out.sink("a \\(param) b")'],
  ['through an interpolation that says how it is shown', 'out.sink("a \\(param, privacy: .public)")'],
  ['through a text over several lines', 'out.sink("""\n  a \\(param)\n  """)'],
  ['through a raw text', 'out.sink(#"a \\#(param)"#)'],
  ['through a concatenation', 'out.sink("a" + param + "b")'],
  ['through a format', 'out.sink(String(format: "%@!", param))'],
  ['through a fallback', 'let a: String? = param\nout.sink(a ?? "x")'],
  ['through a forced value', 'let a: String? = param\nout.sink(a!)'],
  ['through an optional chain', 'out.sink(req.headers.first(name: "x")?.lowercased() ?? "")'],
  ['through if let', 'if let a = Optional(param), a.count > 1 { out.sink(a) }'],
  ['through if let with a type', 'if let a = param as? String { out.sink(a) }'],
  ['through guard let', 'guard let a = req.query[String.self, at: "a"], !a.isEmpty else { return "" }\nout.sink(a)'],
  ['through if case let', 'if case let .some(a) = Optional(param) { out.sink(a) }'],
  ['through guard case', 'guard case .found(let a) = look(param) else { return "" }\nout.sink(a)'],
  ['through while let', 'var all = [param]\nwhile let a = all.popLast() { out.sink(a) }'],
  ['through try, await and their like', 'let a = try? await load(try param)\nout.sink(a ?? "")'],
  ['through a choice', 'out.sink(flag ? param : "x")'],
  ['through a chain of choices', 'out.sink(flag ? "x" : other ? "y" : param)'],
  ['through if as a value', 'let a = if flag { "x" } else { param }\nout.sink(a)'],
  ['through switch as a value', 'let a = switch mode { case 1: "x"\n default: param }\nout.sink(a)'],
  ['through a switch', 'var a = "x"\nswitch mode {\ncase .one: a = "y"\ncase .two: a = param\n}\nout.sink(a)'],
  ['through what a case binds', 'switch look(param) {\ncase .found(let a): out.sink(a)\ndefault: break\n}'],
  ['through a case with a condition', 'switch param {\ncase let a where a.count > 3: out.sink(a)\ndefault: break\n}'],
  ['through a tuple that is taken apart', 'let (a, b) = ("x", param)\nout.sink(b)'],
  ['through a tuple with names', 'let t = (a: "x", b: param)\nout.sink(t.b)'],
  ['through a tuple by its numbers', 'let t = ("x", param)\nout.sink(t.1)'],
  ['through an element of an array', 'let l = ["x", param]\nout.sink(l[1])'],
  ['through an array that grows', 'var l: [String] = []\nl.append(param)\nout.sink(l[0])'],
  ['through a dictionary under its key', 'let m = ["a": param, "b": "x"]\nout.sink(m["a"]!)'],
  ['through a dictionary that is written', 'var m: [String: String] = [:]\nm["a"] = param\nout.sink(m["a"] ?? "")'],
  ['through a loop', 'for a in ["x", param] { out.sink(a) }'],
  ['through a loop with a condition', 'for a in [param] where a != "" { out.sink(a) }'],
  ['through a loop with pairs', 'for (_, v) in ["a": param] { out.sink(v) }'],
  ['through a closure with a name', '[param].forEach { a in out.sink(a) }'],
  ['through a closure with a number', '[param].forEach { out.sink($0) }'],
  ['through an array that is filtered', 'let a = [param, "x"].filter { !$0.isEmpty }\nout.sink(a[0])'],
  ['through an array that something is inserted into', 'var l = ["x"]\nl.insert(param, at: 0)\nout.sink(l[0])'],
  ['through what a closure makes', 'let a = [param].map { "x" + $0 }\nout.sink(a.joined(separator: ","))'],
  [
    'through a key path',
    'let a = [User(name: param)].map(\\.name)\nout.sink(a[0])',
    'struct User { let name: String }',
  ],
  ['through a closure that is a value', 'let own = { (a: String) -> String in a + "!" }\nout.sink(own(param))'],
  ['within a closure behind arguments', 'queue.async(group: g) { out.sink(param) }'],
  ['within a closure with a name', 'run(1) { _ in } done: { out.sink(param) }'],
  ['within a task', 'Task { await out.sink(param) }'],
  ['through a method', 'out.sink(own(param))', 'func own(_ s: String) -> String { "a" + s }'],
  ['through a method of self', 'out.sink(self.own(param))', 'func own(_ s: String) -> String { return s }'],
  [
    'through an argument with a label',
    'out.sink(own(of: "x", to: param))',
    'func own(of a: String, to b: String) -> String { return b }',
  ],
  [
    'through an argument by the name of its parameter',
    'out.sink(own(b: param))',
    'func own(a: String = "x", b: String) -> String { b }',
  ],
  ['through a static method', 'out.sink(Self.own(param))', 'static func own(_ s: String) -> String { s.uppercased() }'],
  [
    'through a method that gives it in a branch',
    'out.sink(own(param))',
    'func own(_ s: String) -> String { if flag { s } else { "x" } }',
  ],
  ['through a struct', 'let u = User(name: param)\nout.sink(u.name)', 'struct User { let id = 1\n var name: String }'],
  [
    'through a class with a constructor',
    'let u = User(param)\nout.sink(u.name)',
    'class User { let name: String\n init(_ given: String) { self.name = given } }',
  ],
  [
    'through a method of an extension',
    'let u = User(name: param)\nout.sink(u.shown())',
    'struct User { let name: String }\n}\nextension Controller.User { func shown() -> String { "x \\(name)" }',
  ],
  [
    'through a property that is computed',
    'let u = User(name: param)\nu.show(out)',
    'struct User { let name: String\n var shown: String { "x" + name }\n func show(_ out: Out) { out.sink(self.shown) } }',
  ],
  [
    'through a body that is decoded',
    'let f = try req.content.decode(Form.self)\nout.sink(f.name)',
    'struct Form: Content { let name: String }',
  ],
  ['in the body of do', 'do { out.sink(param) } catch { print(error) }'],
  ['after a guard that asks something else', 'guard flag else { throw Abort(.notFound) }\nout.sink(param)'],
  ['where it is not empty and not one text', 'if !param.isEmpty && param != "a" { out.sink(param) }'],
  ['through a nested function', 'func own(_ s: String) -> String { s }\nout.sink(own(param))'],
]

/** Nothing of the input reaches the sink. */
const KEPT: [name: string, body: string, members?: string][] = [
  ['a variable is set anew', 'var a = param\na = "x"\nout.sink(a)'],
  ['a number is made of it', 'let n = Int(param) ?? 0\nout.sink("a\\(n)")'],
  ['a number is asked for', 'let n = try req.query.get(Int.self, at: "n")\nout.sink("a\\(n)")'],
  ['a parameter is asked for as a number', 'let n = req.parameters.get("n", as: UUID.self)!\nout.sink("a\\(n)")'],
  ['it is bound as a number', 'if let n = Int(param) { out.sink("a\\(n)") }'],
  ['the variable is declared as a number', 'let n: Int? = req.query["n"]\nout.sink("a\\(n ?? 1)")'],
  [
    'a field that is decoded is a number',
    'let f = try req.content.decode(Form.self)\nout.sink("\\(f.count)")',
    'struct Form: Content { let count: Int }',
  ],
  ['only its length is used', 'out.sink("a\\(param.count)")'],
  ['it is compared', 'out.sink(param == "x")'],
  ['another element of an array is taken', 'let l = ["x", param]\nout.sink(l[0])'],
  ['another key of a dictionary is taken', 'let m = ["a": param, "b": "x"]\nout.sink(m["b"]!)'],
  ['another part of a tuple is taken', 'let (a, b) = ("x", param)\nout.sink(a)'],
  [
    'another property of a struct is read',
    'let u = User(name: param, kind: "x")\nout.sink(u.kind)',
    'struct User { var name: String\n var kind: String }',
  ],
  ['it is one of the texts written out', 'guard ["a", "b"].contains(param) else { return "" }\nout.sink(param)'],
  ['it is not one of those, and the function ends', 'if !["a", "b"].contains(param) { return "" }\nout.sink(param)'],
  [
    'it is one of those that are allowed',
    'let allowed = ["a", "b"]\nguard allowed.contains(param) else { throw Abort(.notFound) }\nout.sink(param)',
  ],
  ['a case makes it a fixed text', 'switch param {\ncase "a", "b": out.sink(param)\ndefault: break\n}'],
  ['a switch gives fixed texts', 'let a = switch param { case "a": "x"\n default: "y" }\nout.sink(a)'],
  ['it is looked up in a fixed dictionary', 'let known = ["a": "1", "b": "2"]\nout.sink(known[param] ?? "0")'],
  ['it is equal to a fixed text', 'guard param == "a" else { return "" }\nout.sink(param)'],
  [
    'an expression lets nothing harmful through',
    'guard param.range(of: "^[a-z]+$", options: .regularExpression) != nil else { return "" }\nout.sink(param)',
  ],
  [
    'a literal of an expression lets nothing harmful through',
    'guard param.wholeMatch(of: /[a-z0-9]+/) != nil else { return "" }\nout.sink(param)',
  ],
  [
    'a row was stored that is asked for by it',
    'let u = try await User.query(on: req.db).filter(\\.$name, .equal, param).first()\nout.sink(u)',
  ],
  ['a number can be made of it', 'guard Int(param) != nil else { return "" }\nout.sink(param)'],
  ['an identifier is made of it', 'guard let id = UUID(uuidString: param) else { return "" }\nout.sink(param)'],
  ['a method returns something else', 'out.sink(own(param))', 'func own(_ s: String) -> String { "x" }'],
  [
    'another argument is passed',
    'out.sink(own(of: "x", to: param))',
    'func own(of a: String, to b: String) -> String { return a }',
  ],
  ['a parameter is a number', 'own(param)', 'func own(_ s: Int) { out.sink(s) }'],
  ['the way ended before', 'if true { return "" }\nout.sink(param)'],
  ['the function failed before', 'fatalError()\nout.sink(param)'],
  ['an error is caught', 'do { try run(param) } catch let e { out.sink(e) }'],
]

describe('in Swift, input reaches a sink', () => {
  test.each(REACHES)('%s', (_, body, members) => expect(reaches(body, members)).toBe(true))
})

describe('in Swift, nothing is found where', () => {
  test.each(KEPT)('%s', (_, body, members) => expect(reaches(body, members)).toBe(false))
})

test('a route outside of functions is followed', () => {
  const code =
    'import Vapor\nlet app = try Application(.detect())\napp.get("x") { req in out.sink(req.query["p"] ?? "") }\n'
  expect(follow(code, sinkRule('swift')).matches).toHaveLength(1)
})

test('what is computed for a property is followed like a function', () => {
  const code = `import Vapor
final class View {
  var req: Request
  var body: String { out.sink(req.query["p"] ?? "")
    return "" }
  var width: Int = 1 { didSet { out.sink(req.headers.first(name: "x")!) } }
}
`
  expect(follow(code, sinkRule('swift')).matches).toHaveLength(2)
})
