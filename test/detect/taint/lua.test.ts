import { describe, expect, test } from 'vitest'
import { follow, sinkRule } from './follow.ts'

/** Whether a value of the request, in `param`, reaches `out.sink(…)`. */
function reaches(body: string): boolean {
  return follow(`local param = ngx.var.arg_name\n${body}\n`, sinkRule('lua')).matches.length > 0
}

const REACHES: [name: string, body: string][] = [
  ['through a variable', 'local a = param\nout.sink(a)'],
  ['through joined texts', 'out.sink("a" .. param .. "b")'],
  ['through a format', 'out.sink(string.format("%s!", param))'],
  ['through a format as a method', 'out.sink(("%s!"):format(param))'],
  ['through methods of texts', 'out.sink(param:lower():sub(2))'],
  ['through a fallback', 'local a = param or "x"\nout.sink(a)'],
  ['through a choice', 'out.sink(flag and param or "x")'],
  ['through a table', 'local t = { name = param, 1 }\nout.sink(t.name)'],
  ['through an element by a fixed key', 'local t = {}\nt["name"] = param\nout.sink(t.name)'],
  ['through a list', 'local t = { "x", param }\nfor _, each in ipairs(t) do out.sink(each) end'],
  ['through what is inserted and joined', 'local t = {}\ntable.insert(t, param)\nout.sink(table.concat(t, " "))'],
  ['through several assignments at once', 'local a, b = "x", param\nout.sink(b)'],
  ['through a branch', 'local a = "x"\nif flag then a = "y" elseif other then a = param else a = "z" end\nout.sink(a)'],
  ['through a loop with a condition', 'local a = "x"\nwhile flag do a = a .. param end\nout.sink(a)'],
  ['through a loop that ends by a condition', 'local a\nrepeat a = param until done\nout.sink(a)'],
  ['through a local function', 'local function own(a) return a:upper() end\nout.sink(own(param))'],
  ['through a function that is a value', 'local own = function(a) return "x" .. a end\nout.sink(own(param))'],
  ['through a function of a table', 'local M = {}\nfunction M.own(a) return a end\nout.sink(M.own(param))'],
  [
    'through the first of two results',
    'local function own(a) return a, nil end\nlocal a, problem = own(param)\nout.sink(a)',
  ],
  ['through a call in protected mode', 'local ok, a = pcall(string.lower, param)\nout.sink(a)'],
  ['through a closure', 'local function run()\n  out.sink(param)\nend\nrun()'],
  ['through a block', 'do\n  local a = param\n  out.sink(a)\nend'],
]

const STAYS: [name: string, body: string][] = [
  ['what a number is made of', 'local a = tonumber(param)\nout.sink(a)'],
  ['the length', 'out.sink(#param)'],
  ['what was overwritten', 'local a = param\na = "x"\nout.sink(a)'],
  ['another field of a table', 'local t = { name = param, other = "x" }\nout.sink(t.other)'],
  ['a comparison', 'out.sink(param == "x")'],
  ['a value of a fixed table', 'local known = { a = "1", b = "2" }\nout.sink(known[param])'],
  ['what is compared with a fixed text before', 'if param ~= "a" then return end\nout.sink(param)'],
  ['what fits a pattern from end to end', 'if not param:match("^%w+$") then return end\nout.sink(param)'],
  [
    'a second result that is something else',
    'local function own(a) return "x", a end\nlocal a = own(param)\nout.sink(a)',
  ],
  ['whether a call in protected mode went well', 'local ok, a = pcall(string.lower, param)\nout.sink(ok)'],
]

describe('in Lua, input is followed', () => {
  test.each(REACHES)('%s', (_, body) => expect(reaches(body)).toBe(true))
})

describe('in Lua, input is not', () => {
  test.each(STAYS)('%s', (_, body) => expect(reaches(body)).toBe(false))
})

test('self is the object in a function with a colon, and a parameter where it is written', () => {
  const code = `local M = {}
function M:load() self.name = ngx.var.arg_name end
function M:show() self:load() out.sink(self.name) end
function M.other(self) out.sink(self.name) end
return M
`
  expect(follow(code, sinkRule('lua')).matches).toHaveLength(1)
})
