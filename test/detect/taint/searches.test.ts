import { describe, expect, test } from 'vitest'
import fc from '../../made/property.ts'
import { follow, reachesJava, sinkRule } from './follow.ts'

const rule = (language: string) => sinkRule(language, { sources: ['request', 'request-text'] })

function reachesJavaScript(body: string): boolean {
  const code = `app.get('/x', (req, res) => {\n  const param = req.query.p\n  ${body}\n})\n`
  return follow(code, rule('javascript')).matches.length > 0
}

function reachesPython(body: string): boolean {
  const code = `from flask import request\n@app.route('/')\ndef view():\n    param = request.args['p']\n    ${body}\n`
  return follow(code, rule('python')).matches.length > 0
}

describe('Input that was found among known values', () => {
  test.each([
    'if (!ALLOWED.some(each => each === param)) throw new Error(); sink(param)',
    'if (!allowed.some(each => matches(param, each))) return; sink(param)',
    'if (!ALLOWED.some(each => param.startsWith(each))) return; sink(param)',
    'if (ALLOWED.some(function (each) { return param === each })) sink(param)',
    'const client = clients.get(req.query.id); if (!client.redirect_uris.includes(param)) throw new Error(); sink(param)',
    'const same = param; if (!ALLOWED.includes(same)) return; sink(param)',
    'const same = param; if (!ALLOWED.some(each => each === same)) return; sink(param)',
  ])('is known: %s', body => {
    expect(reachesJavaScript(body)).toBe(false)
  })

  test.each([
    'let other = param; other = req.query.q; if (!ALLOWED.includes(other)) return; sink(param)',
    'const other = param + req.query.q; if (!ALLOWED.includes(other)) return; sink(param)',
    'let param2 = param; const other = param2; param2 = req.query.q; if (!ALLOWED.includes(other)) return; sink(param2)',
    'let param2 = param; const other = param2; if (flag()) { param2 = req.query.q } if (!ALLOWED.includes(other)) return; sink(param2)',
    'if (flag()) { if (!ALLOWED.includes(req.query.b)) return } sink(req.query.b)',
    'if (flag()) { if (!ALLOWED.includes(param)) return } sink(param)',
    'const other = req.query; if (!ALLOWED.includes(other.a)) return; sink(req.query.b)',
    // Not what was asked, or of nothing that is known.
    'if (ALLOWED.some(each => each === param)) return; sink(param)',
    'if (!req.query.list.some(each => each === param)) return; sink(param)',
    'if (!rows.some(each => each.length > 2)) return; sink(param)',
    // That a text holds another one says nothing of the rest of it.
    'if (!ALLOWED.some(each => param.includes(each))) return; sink(param)',
    'if (!ALLOWED.some(each => { log(each); return each === other })) return; sink(param)',
    'const client = clients.get(req.query.id); if (!client.names.includes(param)) throw new Error(); sink(param)',
  ])('is not: %s', body => {
    expect(reachesJavaScript(body)).toBe(true)
  })

  test('is known in a comprehension of Python', () => {
    expect(reachesPython('if any(param == each for each in ALLOWED): sink(param)')).toBe(false)
    expect(reachesPython('if any(param.startswith(each) for each in ALLOWED): sink(param)')).toBe(false)
    expect(reachesPython('if any(each in param for each in ALLOWED): sink(param)')).toBe(true)
  })

  test('is known in a stream of Java', () => {
    expect(reachesJava('if (ALLOWED.stream().anyMatch(each -> each.equals(param))) out.sink(param);')).toBe(false)
    expect(reachesJava('if (ALLOWED.stream().noneMatch(each -> each.equals(param))) out.sink(param);')).toBe(true)
  })
})

test('Variables that are declared as each other, in any order and on any way, can be checked', () => {
  const name = fc.constantFrom('a', 'b', 'c')
  const statement = fc.oneof(
    fc.tuple(name, name).map(([one, other]) => `var ${one} = ${other}`),
    fc.tuple(name, name).map(([one, other]) => `if (flag()) { var ${one} = ${other} } else { ${other} = req.query.q }`),
    name.map(one => `if (!ALLOWED.includes(${one})) return`),
  )
  fc.assert(
    fc.property(fc.array(statement, { maxLength: 8 }), statements => {
      const body = ['var a = req.query.a, b = a, c = b', ...statements, 'if (!ALLOWED.includes(a)) return', 'sink(b)']
      const code = `app.get('/x', (req, res) => {\n${body.join('\n')}\n})\n`
      expect(follow(code, rule('javascript')).failures).toEqual([])
    }),
    { numRuns: 60 },
  )
})
