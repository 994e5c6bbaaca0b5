import { describe, expect, test } from 'vitest'
import { follow, reachesPython, sinkRule } from './follow.ts'

const REACHES: [name: string, body: string, more?: string][] = [
  ['through a variable', 'a = param\nsink(a)'],
  ['through an f-string', 'sink(f"a{param}b")'],
  ['through a format with %', 'sink("a %s" % (param,))'],
  ['through a format with names', 'sink("a {n}".format(n=param))'],
  ['through a join', 'sink(",".join(["a", param]))'],
  ['through a conditional', 'sink(param if flag() else "x")'],
  ['through a default', 'sink(param or "x")'],
  ['through several targets', 'a, b = "x", param\nsink(b)'],
  ['through a list', 'l = []\nl.append("x")\nl.append(param)\nsink(l[1])'],
  ['through the last element', 'l = ["x", param]\nsink(l[-1])'],
  ['through a slice', 'l = ["x", param]\nsink(l[0:2][0])'],
  ['through a map', 'm = {"a": param}\nm["b"] = "x"\nsink(m["a"])'],
  ['through a loop over items', 'm = {"a": param}\nfor k, v in m.items():\n    sink(v)'],
  ['through a comprehension', 'sink([x.strip() for x in [param]][0])'],
  [
    'through a section of a configuration',
    'c = configparser.ConfigParser()\nc.add_section("s")\nc.set("s", "a", param)\nsink(c.get("s", "a"))',
    'import configparser',
  ],
  ['through a match', 'match flag():\n    case "A":\n        a = "x"\n    case _:\n        a = param\nsink(a)'],
  ['through a function of the file', 'sink(own(param))', 'def own(x):\n    return "a" + x'],
  ['through a function with keyword arguments', 'sink(own(b=param, a="x"))', 'def own(a, b):\n    return b'],
  [
    'through an object',
    'sink(Own(param).get())',
    'class Own:\n    def __init__(self, x):\n        self.x = x\n    def get(self):\n        return self.x',
  ],
  ['through a function within the function', 'def own():\n    return param\nsink(own())'],
  ['through a lambda', 'own = lambda x: x + "a"\nsink(own(param))'],
  ['through a helper elsewhere', 'sink(helper.work(param))'],
  ['through a with', 'with wrap(param) as w:\n    sink(w)'],
  ['through a try', 'a = "x"\ntry:\n    a = param\nexcept ValueError:\n    pass\nsink(a)'],
  ['through a walrus', 'if (a := param):\n    sink(a)'],
  ['through bytes and back', 'sink(base64.b64decode(base64.b64encode(param.encode())).decode())', 'import base64'],
  ['from all values of a parameter', 'v = request.form.getlist("p")\nif v:\n    sink(v[0])'],
  ['from a header', 'sink(urllib.parse.unquote_plus(request.headers.get("p")))', 'import urllib.parse'],
  ['from the names of parameters', 'for name in request.form.keys():\n    sink(name)'],
  [
    'although an expression of which nothing is harmless fits it',
    "if re.fullmatch('^\\S+$', param):\n    sink(param)",
    'import re',
  ],
  ['although a range holds signs', 'if re.fullmatch(r"[0-z]+", param):\n    sink(param)', 'import re'],
  ['although only another variable is checked', 'if other not in ALLOWED:\n    return "no"\nsink(param)'],
]

const KEPT: [name: string, body: string, more?: string][] = [
  ['a variable is set anew', 'a = param\na = "x"\nsink(a)'],
  ['a condition never holds', 'n = 86\nif 7 * 42 - n > 300:\n    a = param\nelse:\n    a = "x"\nsink(a)'],
  ['another element is taken', 'l = ["x", param]\nl.append("y")\nl.pop(0)\nsink(l[1])'],
  ['another key is taken', 'm = {"a": param}\nm["b"] = "x"\nsink(m["b"])'],
  [
    'another section is taken',
    'c = configparser.ConfigParser()\nc.set("s", "a", param)\nc.set("s", "b", "x")\nsink(c.get("s", "b"))',
    'import configparser',
  ],
  [
    'a match comes to another case',
    'guess = "ABC"[1]\nmatch guess:\n    case "A":\n        a = param\n    case "B":\n        a = "x"\n    case _:\n        a = param\nsink(a)',
  ],
  ['the function returns something else', 'sink(own(param))', 'def own(x):\n    return "a"'],
  ['only a number is used', 'sink("a%d" % int(param))'],
  ['only its length is used', 'sink(f"a{len(param)}")'],
  ['it is one of the texts written out', 'if param not in ("a", "b"):\n    return "no"\nsink(param)'],
  ['the framework makes a number of it', 'sink(request.args.get("n", type=int))'],
  ['it consists of digits', 'if param.isdigit():\n    sink(param)'],
  [
    'an expression lets nothing harmful through',
    'if not re.fullmatch(r"[a-z0-9]+", param):\n    return "no"\nsink(param)',
    'import re',
  ],
  ['a call that does not come back ends the other way', 'if param not in ALLOWED:\n    abort(400)\nsink(param)'],
  ['it is looked up', 'sink(KNOWN[param])'],
  ['a map of fixed texts is asked', 'm = {"a": "x"}\nsink(m.get(param, "y"))'],
  ['it was deleted', 'a = param\ndel a\nsink(a)'],
]

describe('in Python, input reaches a sink', () => {
  test.each(REACHES)('%s', (_, body, more) => {
    expect(reachesPython(body, more)).toBe(true)
  })
})

describe('in Python, nothing is found where', () => {
  test.each(KEPT)('%s', (_, body, more) => {
    expect(reachesPython(body, more)).toBe(false)
  })
})

test('a view takes parts of the address, except those that a converter makes numbers of', () => {
  const view = (route: string) => `import flask\n@app.route("${route}")\ndef view(name):\n    sink(name)\n`
  expect(follow(view('/x/<name>'), sinkRule('python')).matches).toHaveLength(1)
  expect(follow(view('/x/<int:name>'), sinkRule('python')).matches).toHaveLength(0)
})

test('a parameter whose type is a number brings no input', () => {
  const view = (type: string) => `@app.get("/x")\ndef view(name: ${type}):\n    sink(name)\n`
  expect(follow(view('str'), sinkRule('python')).matches).toHaveLength(1)
  expect(follow(view('int'), sinkRule('python')).matches).toHaveLength(0)
  expect(follow(view('Optional[int] = None'), sinkRule('python')).matches).toHaveLength(0)
})
