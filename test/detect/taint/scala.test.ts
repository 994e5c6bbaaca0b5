import { describe, expect, test } from 'vitest'
import { follow, sinkRule } from './follow.ts'

/** Whether input reaches `out.sink(…)` in the body of a servlet's handler in Scala, with further members beside it. */
function reaches(body: string, members = ''): boolean {
  const code = `class A(given: B) extends HttpServlet {
  override def doPost(request: HttpServletRequest, response: HttpServletResponse): Unit = {
    val param = request.getParameter("p")
    ${body}
  }
  ${members}
}`
  return follow(code, sinkRule('scala')).matches.length > 0
}

/** The same by indentation, without braces. */
function reachesIndented(body: string, members = ''): boolean {
  const code = `class A extends HttpServlet:
  override def doPost(request: HttpServletRequest, response: HttpServletResponse): Unit =
    val param = request.getParameter("p")
    ${body.replaceAll('\n', '\n    ')}
  ${members.replaceAll('\n', '\n  ')}
`
  return follow(code, sinkRule('scala')).matches.length > 0
}

/** Input reaches the sink: a name, the handler's body, further members. */
const REACHES: [name: string, body: string, members?: string][] = [
  ['through a value', 'val a = param\nout.sink(a)'],
  ['through a variable with a type', 'var a: String = "x"\na = param\nout.sink(a)'],
  ['through an interpolated text', 'out.sink(s"a $param b")'],
  ['through an expression in a text', 'out.sink(s"a ${param.trim} b")'],
  ['through a formatted text', 'out.sink(f"a $param%s b")'],
  ['through a text of several lines', 'out.sink(s"""a\n  |$param""".stripMargin)'],
  ['through another interpolator', 'out.sink(uri"http://$param")'],
  ['through a concatenation', 'out.sink("a" + param)'],
  ['through a compound assignment', 'var a = "x"\na += param\nout.sink(a)'],
  ['through a format', 'out.sink("a %s".format(param))'],
  ['through methods without parentheses', 'out.sink(param.trim.toLowerCase)'],
  ['through an if as a value', 'val a = if (flag) "x" else param\nout.sink(a)'],
  ['through a block as a value', 'val a = { go(); param }\nout.sink(a)'],
  ['through a match as a value', 'val a = mode match { case 1 => "x"; case _ => param }\nout.sink(a)'],
  ['through what an option holds', 'Option(param) match { case Some(a) => out.sink(a); case None => go() }'],
  ['through a guard that asks something else', 'param match { case a if flag => out.sink(a); case _ => go() }'],
  ['through a part of a tuple', '("x", param) match { case (a, b) => out.sink(b) }'],
  [
    'through a case class',
    'User("x", param) match { case User(a, b) => out.sink(b) }',
    'case class User(a: String, b: String)',
  ],
  ['through a name for a whole pattern', 'Option(param) match { case a @ Some(_) => out.sink(a); case _ => go() }'],
  ['through the rest of a list', 'List("x", param) match { case a :: b => b.foreach(out.sink(_)); case _ => go() }'],
  ['through a try', 'val a = try { param } catch { case e: Exception => "x" }\nout.sink(a)'],
  ['through an option and its fallback', 'val a = Option(param).getOrElse("x")\nout.sink(a)'],
  ['through map', 'out.sink(Option(param).map(a => s"a$a").get)'],
  ['through map with a gap', 'out.sink(Option(param).map(_.trim).get)'],
  ['through map with a method', 'out.sink(Option(param).map(own).get)', 'private def own(a: String) = "a" + a'],
  ['through map with cases', 'Option(param).map { case a => out.sink(a) }'],
  ['through a lambda that is called', 'Option(param).foreach { a => out.sink(a) }'],
  ['through a lambda of several lines', 'Option(param).foreach { a =>\n  val b = a\n  out.sink(b)\n}'],
  ['through a lambda with a definition on its line', 'Option(param).foreach { a => val b = a; out.sink(b) }'],
  ['through a lambda with a type', 'Option(param).foreach { a: String =>\n  val b = a\n  out.sink(b)\n}'],
  ['through a filter that asks something else', 'out.sink(Option(param).filter(_.nonEmpty).get)'],
  ['through an infix call', 'Option(param) foreach (a => out.sink(a))'],
  ['through a comprehension', 'val a = for { b <- Option(param); c = b.trim } yield c\nout.sink(a.get)'],
  [
    'through a comprehension in parentheses that leaves a value out',
    'val a = (for { _ <- check(param); b <- Option(param) } yield b).getOrElse("x")\nout.sink(a)',
  ],
  ['within a comprehension', 'for { a <- Option(param); _ <- out.sink(a) } yield 1'],
  ['through a loop', 'for (a <- Seq("x", param)) { out.sink(a) }'],
  ['through a loop with a condition', 'var a = "x"\nwhile (flag) { a = param }\nout.sink(a)'],
  ['through an element of a list', 'val l = List("x", param)\nout.sink(l(1))'],
  ['through a list that is joined', 'out.sink(Seq("x", param).mkString(" "))'],
  ['through a list that is put together', 'val l = "x" :: param :: Nil\nout.sink(l(1))'],
  ['through a list with one more', 'val l = Seq("x") :+ param\nout.sink(l(1))'],
  ['through a map under its key', 'val m = Map("a" -> param, "b" -> "x")\nout.sink(m("a"))'],
  ['through a buffer that grows', 'val l = ListBuffer("x")\nl += param\nout.sink(l(1))'],
  ['through a text under construction', 'val b = new StringBuilder\nb.append(param)\nout.sink(b.toString)'],
  ['through a text that grows', 'val b = new StringBuilder("x")\nb ++= param\nout.sink(b.toString)'],
  ['through parts that are taken apart', 'val (a, b) = ("x", param)\nout.sink(b)'],
  ['through a method of the class', 'out.sink(own(param))', 'private def own(s: String) = "a" + s'],
  ['through a method with a body', 'out.sink(own(param))', 'private def own(s: String): String = { val t = s; t }'],
  ['through a method with two lists', 'out.sink(own("x")(param))', 'private def own(a: String)(b: String) = b'],
  ['through a named argument', 'out.sink(own(b = param, a = "x"))', 'private def own(a: String, b: String) = b'],
  ['through all further arguments', 'out.sink(own("x", param))', 'private def own(a: String*) = a(1)'],
  ['through a function within', 'def own(s: String) = s.trim\nout.sink(own(param))'],
  ['through a function that is a value', 'val own = (s: String) => s.trim\nout.sink(own(param))'],
  ['through an object', 'out.sink(Own.make(param))', 'object Own { def make(s: String) = "a" + s }'],
  ['through a field of a class', 'out.sink(new In(param).s)', 'class In(val s: String)'],
  ['through a field of a case class', 'out.sink(In(param, "x").s)', 'case class In(s: String, t: String)'],
  ['in an object without a name', 'run(new Runnable { override def run() = out.sink(param) })'],
  ['through what comes later', 'val a = Future { param }\na.map(b => out.sink(b))'],
  ['through a cast', 'out.sink(param.asInstanceOf[String])'],
  [
    'through a field that a class of the file has as a text',
    'out.sink(read(param).name)',
    'case class Form(name: String, pages: Int)',
  ],
  ['although another text was excluded', 'if (param != "a") out.sink(param)'],
]

/** Nothing of the input reaches the sink. */
const KEPT: [name: string, body: string, members?: string][] = [
  ['a variable is set anew', 'var a = param\na = "x"\nout.sink(a)'],
  ['another element of a list is taken', 'val l = List("x", param)\nout.sink(l(0))'],
  ['another key of a map is taken', 'val m = Map("a" -> param, "b" -> "x")\nout.sink(m("b"))'],
  ['a fixed map is asked', 'val m = Map("a" -> "1", "b" -> "2")\nout.sink(m(param))'],
  ['the other part of a tuple is taken', '("x", param) match { case (a, b) => out.sink(a) }'],
  ['the other field of a case class is taken', 'out.sink(In(param, "x").t)', 'case class In(s: String, t: String)'],
  ['it is one of the texts written out', 'if (!Set("a", "b").contains(param)) return\nout.sink(param)'],
  ['a case makes it a fixed text', 'param match { case "a" | "b" => out.sink(param); case _ => go() }'],
  ['a case gives a fixed text a name', 'param match { case a @ ("a" | "b") => out.sink(a); case _ => go() }'],
  ['a guard checks it', 'param match { case a if a.matches("[a-z]{1,9}") => out.sink(a); case _ => go() }'],
  ['a match over it yields fixed texts', 'val a = param match { case "a" => "x"; case _ => "y" }\nout.sink(a)'],
  ['an expression lets nothing harmful through', 'if (!param.matches("[a-z]{1,9}")) return\nout.sink(param)'],
  [
    'an expression takes it apart',
    'param match { case Id(a) => out.sink(a); case _ => go() }',
    'val Id = "([0-9]+)".r',
  ],
  ['the branch that is left ended before', 'if (!param.matches("[a-z]+")) go() else out.sink(param)'],
  ['only a number of it is used', 'val n = param.toInt\nout.sink(s"a$n")'],
  ['only a number of it is used, or none', 'out.sink(s"a${param.toIntOption.getOrElse(1)}")'],
  ['only its length is used', 'out.sink(s"a${param.length}")'],
  ['a filter lets nothing harmful through', 'out.sink(Option(param).filter(_.matches("[a-z]+")).get)'],
  ['a filter with a name does', 'out.sink(Option(param).filter(each => Set("a", "b").contains(each)).get)'],
  [
    'a field that every class of the file has as a number is read',
    'out.sink(read(param).pages)',
    'case class Form(name: String, pages: Int)',
  ],
  ['a lambda makes something else of it', 'out.sink(Option(param).map(a => "x").get)'],
  ['the method returns something else', 'out.sink(own(param))', 'private def own(s: String) = "x"'],
  ['the other of two lists is returned', 'out.sink(own("x")(param))', 'private def own(a: String)(b: String) = a'],
  ['a parameter is a number', 'own(param)', 'private def own(s: Int) = out.sink(s)'],
  ['a part of it is a number', 'own(param)', 'private def own(s: Option[Long]) = out.sink(s)'],
]

describe('in Scala, input reaches a sink', () => {
  test.each(REACHES)('%s', (_, body, members) => {
    expect(reaches(body, members)).toBe(true)
  })
})

describe('in Scala, nothing is found where', () => {
  test.each(KEPT)('%s', (_, body, members) => {
    expect(reaches(body, members)).toBe(false)
  })
})

const INDENTED: [name: string, body: string, members?: string][] = [
  ['through a branch', 'val a = if flag then "x" else param\nout.sink(a)'],
  ['through a branch with a body', 'var a = "x"\nif flag then\n  a = param\nelse\n  go()\nout.sink(a)'],
  ['through cases', 'val a = mode match\n  case 1 => "x"\n  case _ => param\nout.sink(a)'],
  ['through a loop', 'for a <- Seq("x", param) do out.sink(a)'],
  ['through a comprehension', 'val a =\n  for\n    b <- Option(param)\n  yield b\nout.sink(a.get)'],
  ['through a lambda behind a colon', 'Option(param).foreach: a =>\n  val b = a\n  out.sink(b)'],
  ['through a method', 'out.sink(own(param))', 'private def own(s: String) =\n  val t = s\n  t'],
  ['through an extension', 'out.sink(param.own)', 'extension (s: String)\n  def own = s.trim'],
  ['through a given parameter', 'out.sink(own(param))', 'private def own(s: String)(using c: Context) = s'],
  ['through an enumeration with a field', 'out.sink(In.Named(param).s)', 'enum In:\n  case Named(s: String)'],
]

describe('in Scala by indentation, input reaches a sink', () => {
  test.each(INDENTED)('%s', (_, body, members) => {
    expect(reachesIndented(body, members)).toBe(true)
  })
})

test('a class whose constructor has an annotation has its fields', () => {
  const code = `import javax.inject._
class A @Inject()(val name: String, out: Out) {
  def f(request: HttpServletRequest) = new A(request.getParameter("p"), out).g
  def g = out.sink(name)
}`
  expect(follow(code, sinkRule('scala')).matches).toHaveLength(1)
})

test('what stands in the body of a class is followed', () => {
  const code = `class A(request: HttpServletRequest) {
  val name = request.getParameter("p")
  out.sink(name)
}`
  expect(follow(code, sinkRule('scala')).matches).toHaveLength(1)
})

/** Whether input reaches the text of a statement that is interpolated. */
function reachesStatement(statement: string): boolean {
  const code = `class A extends HttpServlet {
  override def doPost(request: HttpServletRequest, response: HttpServletResponse): Unit = {
    val param = request.getParameter("p")
    ${statement}
  }
}`
  return follow(code, sinkRule('scala', { sinks: [{ calls: ['sql'], arguments: [0] }] })).matches.length > 0
}

test('what is spliced into a statement is a part of its text', () => {
  expect(reachesStatement('sql"select #$param"')).toBe(true)
  expect(reachesStatement('sql"""select #${param.trim}"""')).toBe(true)
})

test('what is bound in a statement is no part of its text', () => {
  expect(reachesStatement('sql"select $param"')).toBe(false)
  expect(reachesStatement('sql"""select ${param.trim} from #$table"""')).toBe(false)
})
