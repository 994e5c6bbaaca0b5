import { describe, expect, test } from 'vitest'
import { follow, sinkRule } from './follow.ts'

/** How often a value of the request, in `param`, reaches `out.sink(…)`, with members or functions beside it. */
function countReached(body: string, beside = ''): number {
  const code = `import 'package:shelf/shelf.dart';
Future<Response> handle(Request request) async {
  final param = request.url.queryParameters['name'];
  ${body}
}
${beside}
`
  return follow(code, sinkRule('dart')).matches.length
}

const REACHES: [name: string, body: string, beside?: string][] = [
  ['through a variable', 'var a = param; out.sink(a);'],
  ['through a typed variable', 'String a = param!; out.sink(a);'],
  ['through the second of two variables', "final a = 'x', b = param; out.sink(b);"],
  ['through an assignment', 'String? a; a = param; out.sink(a);'],
  ['through an assignment to what is null', 'String? a; a ??= param; out.sink(a);'],
  ['through joined strings', "out.sink('a' + param! + 'b');"],
  ['through an interpolated name', "out.sink('a $param b');"],
  ['through an interpolated expression', "out.sink('a ${param!.trim()} b');"],
  ['through adjacent strings', "out.sink('a' 'b $param' \"c\");"],
  ['through a string of several lines', "out.sink('''\na\n$param\n''');"],
  ['through a string with the other quotation marks', `out.sink("a '$param' b" ' "c" ');`],
  ['through methods of strings', 'out.sink(param!.trim().toLowerCase().substring(2));'],
  ['through null-aware members', "out.sink(param?.trim() ?? '');"],
  ['through a fallback', 'out.sink(other ?? param);'],
  ['through a choice', "out.sink(flag ? param : 'x');"],
  ['through a cast', 'out.sink(param as String);'],
  ['through await', 'out.sink(await Future.value(param));'],
  ['through a list', "final l = ['x', param]; out.sink(l[1]);"],
  ['through an element with a condition', 'final l = [if (flag) param]; out.sink(l.first);'],
  ['through a loop in a list', 'final l = [for (final each in [param]) each]; out.sink(l.join());'],
  ['through a spread', 'final l = [param]; out.sink([...l].last);'],
  ['through a map', "final m = {'a': 'x', 'b': param}; out.sink(m['b']);"],
  ['through a spread of a map', "final m = {'b': param}; out.sink({...m}['b']);"],
  ['through a set', 'final s = <String>{param!}; out.sink(s.first);'],
  ['through an added element', 'final l = <String>[]; l.add(param!); out.sink(l.first);'],
  ['through a cascade', "final b = StringBuffer()..write('a')..write(param); out.sink(b.toString());"],
  ['through a cascade on a variable', "final b = StringBuffer(); b..write('a')..writeln(param); out.sink('$b');"],
  ['through a branch', "var a = 'x'; if (flag) { a = 'y'; } else if (other) a = param!; out.sink(a);"],
  ['through a loop over elements', 'for (final each in [param]) { out.sink(each); }'],
  ['through an asynchronous loop', 'await for (final each in Stream.value(param)) { out.sink(each); }'],
  ['through a loop with a counter', "var a = ''; for (var i = 0; i < 3; i++) { a += param!; } out.sink(a);"],
  ['through a loop with a condition', "var a = ''; while (a.length < 9) { a = a + param!; } out.sink(a);"],
  ['through a loop with a condition at its end', "var a = ''; do { a = param!; } while (flag); out.sink(a);"],
  [
    'through a try',
    "var a = ''; try { a = param!; } on FormatException catch (e) { a = 'x'; } finally { b(); } out.sink(a);",
  ],
  ['through a switch', "var a = ''; switch (kind) { case 'a': a = param!; break; default: a = 'x'; } out.sink(a);"],
  [
    'through a switch as a value',
    "final a = switch (kind) { 'a' => param, 'b' || 'c' => 'x', _ => 'y' }; out.sink(a);",
  ],
  ['through a pattern of a switch', 'switch (param) { case String s when s.length > 2: out.sink(s); }'],
  ['through a pattern of an arm', "final a = switch (param) { String s => 'x$s', _ => 'y' }; out.sink(a);"],
  ['through a pattern of a condition', 'if (param case final a?) { out.sink(a); }'],
  ['through a pattern of a map', "final {'b': b} = {'a': 'x', 'b': param}; out.sink(b);"],
  ['through a pattern of a list', "final [a, b] = ['x', param]; out.sink(b);"],
  ['through a record', "final (a, b) = ('x', param); out.sink(b);"],
  ['through a record with names', 'final (:name, id: _) = (name: param, id: 1); out.sink(name);'],
  ['through a place of a record', "final r = ('x', param); out.sink(r.$2);"],
  ['through a name of a record', 'final r = (name: param, id: 1); out.sink(r.name);'],
  ['through a pattern of a loop', "for (final MapEntry(:value) in {'a': param}.entries) { out.sink(value); }"],
  ['through a function of the file', 'out.sink(own(param!));', 'String own(String a) => a.trim();'],
  ['through a function with braces', 'out.sink(own(param!));', "String own(String a) { return 'x' + a; }"],
  [
    'through a named argument',
    "out.sink(own(b: param!, a: 'x'));",
    "String own({required String a, String b = ''}) => b;",
  ],
  ['through an optional argument', "out.sink(own('x', param!));", 'String own(String a, [String? b]) => b!;'],
  ['through a local function', 'String own(String a) => a.trim(); out.sink(own(param!));'],
  ['through a function that is a value', "final own = (String a) { return 'x$a'; }; out.sink(own(param!));"],
  ['through a closure', 'final own = () => out.sink(param); own();'],
  ['through a closure over elements', "['a', param].forEach((each) { out.sink(each); });"],
  ['through mapped elements', "out.sink([param].map((each) => 'x$each').join());"],
  ['through the result of a future', 'Future.value(param).then((a) => out.sink(a));'],
  ['through a tear-off', '[param].map(own).forEach(out.sink);', 'String own(String? a) => a!;'],
  ['through a field', 'final b = Box(param!); out.sink(b.name);', 'class Box { final String name; Box(this.name); }'],
  [
    'through a field by a name',
    'final b = Box(name: param!); out.sink(b.name);',
    'class Box { const Box({required this.name}); final String name; }',
  ],
  [
    'through an initializer',
    'out.sink(Box(param!).name);',
    "class Box { Box(String a) : name = 'x$a'; final String name; }",
  ],
  [
    'through a constructor with a name',
    "out.sink(Box.from({'n': param}).name);",
    "class Box { Box.from(Map m) : name = m['n']; final String name; }",
  ],
  [
    'through a factory',
    "out.sink(Box.from({'n': param}).name);",
    "class Box { Box(this.name); factory Box.from(Map m) => Box(m['n']); final String name; }",
  ],
  [
    'through a method',
    'Box(param!).show();',
    'class Box { final String name; Box(this.name); void show() { out.sink(name); } }',
  ],
  ['through a static method', 'out.sink(Box.own(param!));', 'class Box { static String own(String a) => a; }'],
  ['through a setter', 'final b = Box(); b.name = param!; out.sink(b.name);', 'class Box { String name = ""; }'],
  [
    'through a mixin',
    'Box().show(param!);',
    'mixin Shows { void show(String a) => out.sink(a); }\nclass Box with Shows {}',
  ],
  [
    'through a stream',
    'await for (final a in own(param!)) { out.sink(a); }',
    'Stream<String> own(String a) async* { yield a; }',
  ],
  ['through a call with types', 'out.sink(own<String>(param!));', 'T own<T>(T a) => a;'],
  ['through a regular expression that is no check of all', "if (RegExp('a').hasMatch(param!)) out.sink(param);"],
  ['beside a sealed class', 'out.sink(param);', 'sealed class Shape {}\nfinal class Round extends Shape {}'],
  [
    'beside an enumeration with members',
    'out.sink(param);',
    "enum Kind { a('x'), b('y'); const Kind(this.text); final String text; }",
  ],
]

const STAYS: [name: string, body: string, beside?: string][] = [
  ['what a number is made of', 'final a = int.parse(param!); out.sink(a);'],
  ['what may be a number', 'final a = int.tryParse(param!) ?? 0; out.sink(a);'],
  ['a number in a string', "out.sink('x ${int.parse(param!)}');"],
  ['the length', 'out.sink(param!.length);'],
  ['what was overwritten', "var a = param; a = 'x'; out.sink(a);"],
  ['another variable', "final a = param, b = 'x'; out.sink(b);"],
  ['another element', "final l = ['x', param]; out.sink(l[0]);"],
  ['another entry of a map', "final m = {'a': 'x', 'b': param}; out.sink(m['a']);"],
  ['another part of a record', "final (a, b) = ('x', param); out.sink(a);"],
  ['another name of a record', 'final r = (name: param, id: 1); out.sink(r.id);'],
  [
    'another field',
    "final b = Box(param!, 'x'); out.sink(b.other);",
    'class Box { Box(this.name, this.other); final String name, other; }',
  ],
  ['another argument', "out.sink(own(b: param!, a: 'x'));", "String own({required String a, String b = ''}) => a;"],
  ['a comparison', "out.sink(param == 'x');"],
  ['a test of a type', 'out.sink(param is String);'],
  ['a raw string', "out.sink(r'$param');"],
  ['a comment', '// out.sink(param);'],
  ['a value of a fixed map', "const known = {'a': '1', 'b': '2'}; out.sink(known[param]);"],
  ['what is one of a list', "if (!['a', 'b'].contains(param)) return Response.notFound(''); out.sink(param);"],
  ['what is compared with a fixed string', "if (param != 'a') return Response.notFound(''); out.sink(param);"],
  [
    'what fits a pattern from end to end',
    "if (!RegExp(r'^\\w+$').hasMatch(param!)) return Response.notFound(''); out.sink(param);",
  ],
  [
    'what fits a pattern of the file',
    "if (!_word.hasMatch(param!)) throw 'x'; out.sink(param);",
    "final _word = RegExp(r'^[a-z]+$');",
  ],
  ['what was found to be a number', "if (int.tryParse(param!) == null) return Response.notFound(''); out.sink(param);"],
  ['what a switch chooses', "final a = switch (param) { 'a' => '1', 'b' => '2', _ => '3' }; out.sink(a);"],
  ['what a case of a switch compares', "switch (param) { case 'a': case 'b': out.sink(param); }"],
  ['what a pattern of a condition compares', "if (param case 'a' || 'b') out.sink(param);"],
  ['a member of an enumeration', 'out.sink(Kind.values.byName(param!));', 'enum Kind { a, b }'],
  ['a parameter that is a number', 'out.sink(own(int.parse(param!)));', "String own(int a) => 'x$a';"],
  ['what stands behind the end', 'return Response.ok(param); out.sink(param);'],
]

describe('in Dart, input is followed', () => {
  test.each(REACHES)('%s', (_, body, beside) => expect(countReached(body, beside)).toBe(1))
})

describe('in Dart, input is not', () => {
  test.each(STAYS)('%s', (_, body, beside) => expect(countReached(body, beside)).toBe(0))
})

test('quotation marks of the other kind are part of a string', () => {
  const code = `import 'package:shelf/shelf.dart';
Response handle(Request request) { sink("a = '\${request.url.query}'"); sink('a = "\${request.url.query}"'); }
`
  const sinks = [{ calls: ['sink'], arguments: [0], needs_prefix: "^a = '$" }]
  expect(follow(code, sinkRule('dart', { sinks })).matches).toHaveLength(1)
})
