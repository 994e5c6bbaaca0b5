import { describe, expect, test } from 'vitest'
import { reachesJava } from './follow.ts'

/** Input reaches the sink: a name, the handler's body, further members. */
const REACHES: [name: string, body: string, members?: string][] = [
  ['through a variable', 'String a = param; out.sink(a);'],
  ['through a concatenation', 'out.sink("a" + param + "b");'],
  ['through a compound assignment', 'String a = "x"; a += param; out.sink(a);'],
  [
    'through a text under construction',
    'StringBuilder a = new StringBuilder("x"); a.append("y").append(param); out.sink(a.toString());',
  ],
  [
    'through a text under construction that is changed',
    'StringBuilder a = new StringBuilder(param); out.sink(a.replace(1, 2, "Z").toString());',
  ],
  ['through a format', 'out.sink(String.format("%s", param));'],
  ['through a conditional that is not known', 'out.sink(flag() ? "a" : param);'],
  ['through a conditional that chooses it', 'int n = 10; out.sink(n * 2 > 15 ? param : "a");'],
  ['through one branch of two', 'String a = "x"; if (flag()) a = param; out.sink(a);'],
  [
    'through the chosen case',
    'String a; switch ("ABC".charAt(0)) { case \'A\': a = param; break; default: a = "x"; } out.sink(a);',
  ],
  [
    'through a case that falls through',
    'String a = "x"; switch (2) { case 2: a = param; case 3: break; default: a = "y"; } out.sink(a);',
  ],
  ['through an arrow switch', 'String a = switch (mode()) { case 1 -> "x"; default -> param; }; out.sink(a);'],
  ['through an element of a list', 'List<String> l = new ArrayList<>(); l.add("x"); l.add(param); out.sink(l.get(1));'],
  [
    'through an element that moved up',
    'List<String> l = new ArrayList<>(); l.add("x"); l.add(param); l.remove(0); out.sink(l.get(0));',
  ],
  [
    'through a list of unknown index',
    'List<String> l = new ArrayList<>(); l.add("x"); l.add(param); out.sink(l.get(i()));',
  ],
  [
    'through a map under its key',
    'Map<String, Object> m = new HashMap<>(); m.put("a", param); m.put("b", "x"); out.sink((String) m.get("a"));',
  ],
  ['through an element of an array', 'String[] l = { "x", param }; out.sink(l[1]);'],
  ['through an array that is filled', 'String[] l = new String[2]; l[0] = "x"; l[1] = param; out.sink(l[1]);'],
  ['through a loop over a list', 'List<String> l = List.of("x", param); for (String s : l) { out.sink(s); }'],
  ['through a loop that builds a text', 'String a = ""; for (int i = 0; i < 3; i++) { a = a + param; } out.sink(a);'],
  ['through a try', 'String a = "x"; try { a = param; go(); } catch (Exception e) { log(e); } out.sink(a);'],
  ['through a part of it', 'out.sink(param.substring(1).trim().toLowerCase().split(",")[0]);'],
  ['through bytes and back', 'out.sink(new String(Base64.decodeBase64(Base64.encodeBase64(param.getBytes()))));'],
  ['through a method of the class', 'out.sink(own(param));', 'private String own(String s) { return "a" + s; }'],
  ['through a static method', 'out.sink(A.own("x", param));', 'static String own(String a, String b) { return b; }'],
  [
    'through a class within the class',
    'out.sink(new In().own(param));',
    'class In { String own(String s) { String t = s; return t; } }',
  ],
  [
    'through a field that the constructor sets',
    'out.sink(new In(param).get());',
    'static class In { private final String s; In(String s) { this.s = s; } String get() { return s; } }',
  ],
  ['in a method that gets it', 'own(param);', 'void own(String s) { out.sink(s); }'],
  ['through a field of the object', 'this.kept = param; own();', 'String kept; void own() { out.sink(kept); }'],
  ['through a helper elsewhere', 'Helper h = Factory.make(); out.sink(h.work(param));'],
  ['through an optional', 'out.sink(Optional.ofNullable(param).map(s -> s + "x").orElse(""));'],
  [
    'through an object that is told to clear something',
    'In o = new In(); o.kept = param; o.clear(); out.sink(o.kept);',
    'class In { String kept; }',
  ],
  ['in a lambda', 'List.of(param).forEach(s -> out.sink(s));'],
  ['in a class without a name', 'run(new Runnable() { public void run() { out.sink(param); } });'],
  [
    'from all values of a parameter',
    'String[] v = request.getParameterValues("p"); String a = ""; if (v != null) a = v[0]; out.sink(a);',
  ],
  [
    'from the map of parameters',
    'Map<String, String[]> m = request.getParameterMap(); if (!m.isEmpty()) { String[] v = m.get("p"); out.sink(v[0]); }',
  ],
  [
    'from the names of parameters',
    'Enumeration<String> n = request.getParameterNames(); while (n.hasMoreElements()) { String a = (String) n.nextElement(); out.sink(a); }',
  ],
  [
    'from a header',
    'Enumeration<String> h = request.getHeaders("p"); if (h != null && h.hasMoreElements()) out.sink(URLDecoder.decode(h.nextElement(), "UTF-8"));',
  ],
  [
    'from a cookie',
    'String a = "x"; for (Cookie c : request.getCookies()) { if (c.getName().equals("p")) { a = c.getValue(); break; } } out.sink(a);',
  ],
  ['from the query', 'String q = request.getQueryString(); int i = q.indexOf("p="); out.sink(q.substring(i + 2));'],
  [
    'from a wrapper whose getter says that it asks for a parameter',
    'Wrapper w = new Wrapper(request); out.sink(w.getTheParameter("p"));',
  ],
  ['although it was compared with a text that it is not', 'if (!param.equals("a")) out.sink(param);'],
  ['although an expression checks only its beginning', 'if (param.matches("a.*")) out.sink(param);'],
  ['although another variable was checked', 'if (!ALLOWED.contains(other)) return; out.sink(param);'],
  ['although a loop may not run', 'String a = param; while (flag()) { a = "x"; } out.sink(a);'],
  ['although a branch returned early', 'if (flag()) { param = "x"; return; } out.sink(param);'],
]

/** Nothing of the input reaches the sink. */
const KEPT: [name: string, body: string, members?: string][] = [
  ['a variable is set anew', 'String a = param; a = "x"; out.sink(a);'],
  ['a conditional always chooses the other', 'int n = 106; out.sink((7 * 18) + n > 200 ? "x" : param);'],
  ['an if is never entered', 'String a = "x"; if ((7 * 42) - 86 < 200) a = param; out.sink(a);'],
  [
    'the chosen case is another',
    'String a; char c = "ABC".charAt(1); switch (c) { case \'A\': a = param; break; case \'B\': a = "x"; break; default: a = param; } out.sink(a);',
  ],
  [
    'another element of a list is taken',
    'List<String> l = new ArrayList<>(); l.add("x"); l.add(param); l.add("y"); l.remove(0); out.sink(l.get(1));',
  ],
  [
    'another key of a map is taken',
    'Map<String, String> m = new HashMap<>(); m.put("a", param); m.put("b", "x"); out.sink(m.get("b"));',
  ],
  [
    'a key of a map is overwritten',
    'Map<String, String> m = new HashMap<>(); m.put("a", param); m.put("a", "x"); out.sink(m.get("a"));',
  ],
  ['another element of an array is taken', 'String[] l = { "x", param }; out.sink(l[0]);'],
  [
    'the method returns something else',
    'out.sink(own(param));',
    'String own(String s) { String t = s; t = "x"; return t; }',
  ],
  [
    'the method of a class within the class returns something else',
    'out.sink(new In().own(request));',
    'class In { String own(HttpServletRequest r) { String s = "x"; return s; } }',
  ],
  ['only a number of it is used', 'int n = Integer.parseInt(param); out.sink("a" + n);'],
  ['only its length is used', 'out.sink("a" + param.length());'],
  ['only whether it is something is used', 'boolean b = param.equals("a"); out.sink("a" + b);'],
  ['it is on a list of what is allowed', 'if (!ALLOWED.contains(param)) return; out.sink(param);'],
  ['it is one of the texts written out', 'if (List.of("a", "b").contains(param)) out.sink(param);'],
  ['it equals a fixed text', 'if ("a".equals(param)) out.sink(param);'],
  [
    'an expression lets nothing harmful through',
    'if (!param.matches("[a-zA-Z0-9]{1,20}")) throw new X(); out.sink(param);',
  ],
  [
    'neither nothing nor a step upwards gets by',
    'if (param != null && param.contains("..")) return; new java.io.File(param); if (param == null || !ALLOWED.contains(param)) return; out.sink(param);',
  ],
  ['a check says that it is valid', 'if (!isValid(param)) return; out.sink(param);'],
  ['the sink is never reached', 'if (true) return; out.sink(param);'],
  ['a loop never ends before it', 'while (true) { go(); } out.sink(param);'],
  [
    'the text under construction was emptied',
    'StringBuilder a = new StringBuilder(param); a.setLength(0); a.append("x"); out.sink(a.toString());',
  ],
  ['a wrapper gives something else', 'Wrapper w = new Wrapper(request); out.sink(w.getTheAnswer("p"));'],
  ['rows of a query come from the database', 'ResultSet r = statement.executeQuery(param); out.sink(r.getString(1));'],
  [
    'a switch over it yields fixed texts',
    'String a = switch (param) { case "a" -> "x"; default -> "y"; }; out.sink(a);',
  ],
  ['a case makes it a fixed text', 'switch (param) { case "a": out.sink(param); break; }'],
  ['it was taken from the session', 'out.sink((String) request.getSession().getAttribute("p"));'],
]

describe('in Java, input reaches a sink', () => {
  test.each(REACHES)('%s', (_, body, members) => {
    expect(reachesJava(body, members)).toBe(true)
  })
})

describe('in Java, nothing is found where', () => {
  test.each(KEPT)('%s', (_, body, members) => {
    expect(reachesJava(body, members)).toBe(false)
  })
})
