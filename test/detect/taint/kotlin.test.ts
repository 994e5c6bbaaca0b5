import { describe, expect, test } from 'vitest'
import { follow, sinkRule } from './follow.ts'

/** Whether input reaches `out.sink(…)` in the body of a servlet's handler in Kotlin, with further members beside it. */
function reaches(body: string, members = ''): boolean {
  const code = `class A(private val given: B) : HttpServlet() {
  override fun doPost(request: HttpServletRequest, response: HttpServletResponse) {
    val param = request.getParameter("p")
    ${body}
  }
  ${members}
}`
  return follow(code, sinkRule('kotlin')).matches.length > 0
}

/** Input reaches the sink: a name, the handler's body, further members. */
const REACHES: [name: string, body: string, members?: string][] = [
  ['through a variable', 'val a = param\nout.sink(a)'],
  ['through a template', 'out.sink("a $param b")'],
  ['through an expression in a template', 'out.sink("a ${param.trim()} b")'],
  ['through a raw text', 'out.sink("""a $param""")'],
  ['through a concatenation', 'out.sink("a" + param)'],
  ['through a compound assignment', 'var a = "x"\na += param\nout.sink(a)'],
  ['through an elvis operator', 'val a = param ?: "x"\nout.sink(a)'],
  ['although the elvis operator may leave', 'val a = param ?: return\nout.sink(a)'],
  ['through a safe call', 'out.sink(param?.trim()?.substring(1))'],
  ['through a non-null sign', 'out.sink(param!!)'],
  ['through an if as a value', 'val a = if (flag()) "x" else param\nout.sink(a)'],
  ['through a block as a value', 'val a = if (flag()) { go()\n param } else { "x" }\nout.sink(a)'],
  ['through a when as a value', 'val a = when (mode()) { 1 -> "x"\n else -> param }\nout.sink(a)'],
  ['through a when without a subject', 'var a = "x"\nwhen { flag() -> a = param\n else -> go() }\nout.sink(a)'],
  ['through a try as a value', 'val a = try { param } catch (e: Exception) { "x" }\nout.sink(a)'],
  ['through an element of a list', 'val l = listOf("x", param)\nout.sink(l[1])'],
  ['through a map under its key', 'val m = mapOf("a" to param, "b" to "x")\nout.sink(m["a"])'],
  ['through a list that grows', 'val l = mutableListOf("x")\nl.add(param)\nout.sink(l[1])'],
  ['through a loop', 'for (s in listOf("x", param)) { out.sink(s) }'],
  ['through a lambda with its own name', 'listOf(param).forEach { s -> out.sink(s) }'],
  ['through a lambda without a name', 'param?.let { out.sink(it) }'],
  ['through what a lambda makes', 'out.sink(param?.let { "a$it" })'],
  ['through with', 'with(out) { sink(param) }'],
  ['through apply', 'val a = StringBuilder().apply { append(param) }\nout.sink(a.toString())'],
  ['through run on it', 'out.sink(param.run { "a$this" })'],
  ['through buildString', 'out.sink(buildString { append("a")\n append(param) })'],
  ['through also', 'out.sink(param.also { log() })'],
  ['through takeIf that asks something else', 'out.sink(param.takeIf { flag() } ?: "x")'],
  ['through a lambda within apply', 'out.apply { listOf(param).forEach { sink(it) } }'],
  ['through a method of the class', 'out.sink(own(param))', 'private fun own(s: String) = "a$s"'],
  ['through a method with a body', 'out.sink(own(param))', 'private fun own(s: String): String { return "a" + s }'],
  ['through a named argument', 'out.sink(own(b = param, a = "x"))', 'private fun own(a: String, b: String) = b'],
  [
    'through a companion',
    'out.sink(own(param))',
    'companion object { fun own(s: String): String { val t = s\n return t } }',
  ],
  ['through a class within the class', 'out.sink(In(param).s)', 'class In(val s: String)'],
  ['in an object without a name', 'run(object : Runnable { override fun run() { out.sink(param) } })'],
  ['through a text under construction', 'val b = StringBuilder("x")\nb.append(param)\nout.sink(b.toString())'],
  ['through parts that are taken apart', 'val (a, b) = listOf("x", param)\nout.sink(b)'],
  ['although another text was excluded', 'if (param != "a") out.sink(param)'],
]

/** Nothing of the input reaches the sink. */
const KEPT: [name: string, body: string, members?: string][] = [
  ['a variable is set anew', 'var a = param\na = "x"\nout.sink(a)'],
  ['another element of a list is taken', 'val l = listOf("x", param)\nout.sink(l[0])'],
  ['another key of a map is taken', 'val m = mapOf("a" to param, "b" to "x")\nout.sink(m["b"])'],
  ['a condition is known', 'val n = 106\nout.sink(if (7 * 18 + n > 200) "x" else param)'],
  ['it is one of the texts written out', 'if (param !in setOf("a", "b")) return\nout.sink(param)'],
  ['a case makes it a fixed text', 'when (param) { "a", "b" -> out.sink(param)\n else -> go() }'],
  ['a case asks whether it is allowed', 'when (param) { in ALLOWED -> out.sink(param)\n else -> go() }'],
  ['a when over it yields fixed texts', 'val a = when (param) { "a" -> "x"\n else -> "y" }\nout.sink(a)'],
  ['an expression lets nothing harmful through', 'if (!param.matches(Regex("[a-z]{1,9}"))) return\nout.sink(param)'],
  [
    'a compiled expression checks it',
    'if (!NAME.matches(param)) return\nout.sink(param)',
    'companion object { val NAME = Regex("[a-z]+") }',
  ],
  ['only a number of it is used', 'val n = param.toInt()\nout.sink("a$n")'],
  ['only a number of it is used, or none', 'val n = param.toIntOrNull() ?: 1\nout.sink("a$n")'],
  ['only its length is used', 'out.sink("a${param.length}")'],
  ['a lambda makes something else of it', 'out.sink(param?.let { "x" })'],
  ['the method returns something else', 'out.sink(own(param))', 'private fun own(s: String) = "x"'],
  ['the way ended before', 'if (true) return\nout.sink(param)'],
  ['a parameter is a number', 'own(param)', 'private fun own(s: Int) { out.sink(s) }'],
]

describe('in Kotlin, input reaches a sink', () => {
  test.each(REACHES)('%s', (_, body, members) => {
    expect(reaches(body, members)).toBe(true)
  })
})

describe('in Kotlin, nothing is found where', () => {
  test.each(KEPT)('%s', (_, body, members) => {
    expect(reaches(body, members)).toBe(false)
  })
})

test('a handler of Ktor is followed through the routes that it stands in', () => {
  const code = `fun Application.module() {
  routing {
    route("/a") {
      get("/x") {
        val name = call.request.queryParameters["n"] ?: return@get
        out.sink("a" + name)
      }
    }
  }
}`
  expect(follow(code, sinkRule('kotlin')).matches).toHaveLength(1)
})
