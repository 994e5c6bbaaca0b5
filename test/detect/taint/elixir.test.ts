import { describe, expect, test } from 'vitest'
import { follow, sinkRule } from './follow.ts'

/** Whether a parameter of the request, in `param`, reaches `Out.sink(…)` in an action of a controller, with further members beside it. */
function reaches(body: string, members = ''): boolean {
  const code = `defmodule AppWeb.UserController do
  use AppWeb, :controller
  alias App.{Store, Words}
  @fixed %{"a" => "1"}
  @known ~w(a b)
  def show(conn, %{"name" => param} = params) do
    ${body}
  end
  ${members}
end
`
  return follow(code, sinkRule('elixir')).matches.length > 0
}

const REACHES: [name: string, body: string, members?: string][] = [
  ['through a variable', 'a = param\nOut.sink(a)'],
  ['through joined texts', 'Out.sink("a" <> param <> "b")'],
  ['through interpolation', 'Out.sink("a #{param} b")'],
  ['through a heredoc', 'Out.sink("""\na #{param}\n""")'],
  ['through a sigil', 'Out.sink(~s(a #{param}))'],
  ['through a list of characters', "Out.sink('a ' ++ String.to_charlist(param))"],
  ['through a binary', 'Out.sink(<<"a", param::binary>>)'],
  ['through pipes', 'param |> String.trim() |> String.upcase() |> Out.sink()'],
  ['through a pipe into a function that is a value', 'param |> then(fn a -> a <> "x" end) |> Out.sink()'],
  ['through a pipe into a choice', 'param |> case do\n"a" -> "b"\nother -> other\nend |> Out.sink()'],
  ['through a map', 'map = %{name: param}\nOut.sink(map.name)'],
  ['through a map with texts as keys', 'map = %{"name" => param}\nOut.sink(map["name"])'],
  ['through a map that is updated', 'map = %{name: "x"}\nmap = %{map | name: param}\nOut.sink(map.name)'],
  ['through a structure', 'user = %User{name: param}\nOut.sink(user.name)'],
  ['through keywords', 'options = [name: param, age: 1]\nOut.sink(options[:name])'],
  ['through a tuple that is taken apart', '{a, b} = {"x", param}\nOut.sink(b)'],
  ['through a list with a head and a rest', '[head | rest] = ["x", param]\nOut.sink(rest)'],
  ['through a pattern within a pattern', '%{user: %{name: a} = user} = %{user: %{name: param}}\nOut.sink(user.name)'],
  ['through a pattern whose whole has a name that nobody asks for', '%{name: a} = _user = %{name: param}\nOut.sink(a)'],
  [
    'through a pattern of a parameter whose whole is left out',
    'own(%{name: param})',
    'defp own(%{name: a} = _user), do: Out.sink(a)',
  ],
  ['through what stands behind a fixed beginning', '"a" <> rest = param\nOut.sink(rest)'],
  ['through the whole of what is taken apart as well', 'Out.sink(params["other"])'],
  ['through a result with what it is', '{:ok, a} = Jason.decode(param)\nOut.sink(a)'],
  ['through a choice by a condition', 'a = if flag, do: param, else: "x"\nOut.sink(a)'],
  ['through a choice of cases', 'a = case flag do\n1 -> "x"\n_ -> param\nend\nOut.sink(a)'],
  ['through a choice of conditions', 'a = cond do\nflag -> "x"\ntrue -> param\nend\nOut.sink(a)'],
  ['through steps', 'with {:ok, a} <- fetch(param), b = a <> "x" do\nOut.sink(b)\nelse\n_ -> nil\nend'],
  ['through what happens where a step did not fit', 'with {:ok, a} <- fetch() do\na\nelse\n_ -> Out.sink(param)\nend'],
  ['through a fallback', 'a = param || "x"\nOut.sink(a)'],
  ['through what is tried', 'a = try do\nparam\nrescue\ne -> e\nend\nOut.sink(a)'],
  ['through a comprehension', 'for a <- [param], a != "x" do\nOut.sink(a)\nend'],
  ['through what a comprehension gives', 'list = for a <- String.split(param), do: a <> "x"\nOut.sink(list)'],
  ['through each element', 'Enum.each([param], fn a -> Out.sink(a) end)'],
  ['through a map over elements and a join', 'Out.sink([param] |> Enum.map(&(&1 <> "x")) |> Enum.join(" "))'],
  ['through what is gathered', 'Out.sink(Enum.reduce([param], "", fn a, sum -> sum <> a end))'],
  ['through look-ups and their fallbacks', 'Out.sink(Map.get(params, "q", "x"))'],
  ['through what is put into a map', 'map = Map.put(%{}, :name, param)\nOut.sink(map.name)'],
  ['through a function that is a value', 'own = fn a -> "x" <> a end\nOut.sink(own.(param))'],
  ['through a function that is captured', 'own = &String.upcase/1\nOut.sink(own.(param))'],
  [
    'through the second clause of a function that is a value',
    'own = fn\n"a" -> "b"\na -> a\nend\nOut.sink(own.(param))',
  ],
  ['through a closure', 'run = fn -> Out.sink(param) end\nrun.()'],
  ['through a function of the module', 'Out.sink(own(param))', 'defp own(a), do: String.downcase(a)'],
  ['through its second clause', 'Out.sink(own(:b, param))', 'defp own(:a, _), do: "x"\n  defp own(:b, a), do: a'],
  ['through a clause with a guard', 'own(param)', 'defp own(a) when byte_size(a) > 3 do\n    Out.sink(a)\n  end'],
  ['through a pattern of a parameter', 'own(%{name: param})', 'defp own(%{name: a}), do: Out.sink(a)'],
  ['past a default', 'own(param)', 'defp own(a, b \\\\ "x"), do: Out.sink(b <> a)'],
  ['through keywords of a function', 'own(1, name: param)', 'defp own(_, options), do: Out.sink(options[:name])'],
  ['through a function that is named by its module', 'Out.sink(__MODULE__.own(param))', 'def own(a), do: a'],
  [
    'through what is rescued in a function',
    'own(param)',
    'defp own(a) do\n    Out.sink(a)\n  rescue\n    e -> e\n  end',
  ],
]

const STAYS: [name: string, body: string, members?: string][] = [
  ['a number that is made of it', 'Out.sink(String.to_integer(param))'],
  ['a number within a pattern', '{a, ""} = Integer.parse(param)\nOut.sink(a)'],
  ['what was bound anew', 'a = param\na = "x"\nOut.sink(a)'],
  ['another key of a map', 'map = %{name: param, other: "x"}\nOut.sink(map.other)'],
  ['the other part of a tuple', '{a, b} = {"x", param}\nOut.sink(a)'],
  ['a comparison', 'Out.sink(param == "x")'],
  ['a value of a fixed map', 'Out.sink(Map.get(@fixed, param))'],
  ['what is in a fixed list', 'if param in @known, do: Out.sink(param)'],
  ['what is a member of a fixed list', 'if Enum.member?(@known, param), do: Out.sink(param)'],
  ['what a step found in a fixed list', 'with true <- param in @known do\nOut.sink(param)\nend'],
  ['what is compared with a fixed text', 'case param do\n"a" -> Out.sink(param)\n_ -> nil\nend'],
  ['what fits an expression', 'if param =~ ~r/\\A[a-z]+\\z/, do: Out.sink(param)'],
  ['what does not, after which nothing follows', 'unless param =~ ~r/^\\w+$/, do: raise("no")\nOut.sink(param)'],
  ['what a guard lets through', 'own(param)', 'defp own(a) when a in ["x", "y"], do: Out.sink(a)'],
  ['what went wrong', 'case File.stat(param) do\n{:error, reason} -> Out.sink(reason)\n_ -> nil\nend'],
  ['the connection that is threaded through', '{:ok, body, conn} = read_body(conn)\nOut.sink(conn.assigns.x)'],
  ['what a pinned variable compares with', 'case 1 do\n^param -> Out.sink("x")\nend'],
  ['a text that only looks like one with something in it', 'Out.sink(~S(#{param}))'],
  ['a clause for something else', 'own(:a, param)', 'defp own(:a, _), do: "x"\n  defp own(:b, _), do: Out.sink("y")'],
]

describe('in Elixir, input is followed', () => {
  test.each(REACHES)('%s', (_, body, members) => expect(reaches(body, members)).toBe(true))
})

describe('in Elixir, input is not', () => {
  test.each(STAYS)('%s', (_, body, members) => expect(reaches(body, members)).toBe(false))
})

test('what is asked of the host of an address is asked of the address', () => {
  const code = (key: string) => `defmodule AppWeb.UserController do
  use AppWeb, :controller
  def show(conn, %{"to" => to}) do
    case URI.parse(to) do
      %URI{${key}: part} when part in ["https", "a.example.org"] -> Out.sink(to)
      _ -> nil
    end
  end
end
`
  const rule = sinkRule('elixir', { class: 'url' })
  expect(follow(code('host'), rule).matches).toHaveLength(0)
  expect(follow(code('scheme'), rule).matches).toHaveLength(1)
})

test('a module of the file is called by its alias and by its full name', () => {
  const code = (call: string) => `defmodule App.Files do
  def read(name), do: Out.sink(name)
end

defmodule AppWeb.FileController do
  use AppWeb, :controller
  alias App.Files, as: Kept
  def show(conn, %{"name" => name}), do: ${call}
end
`
  for (const call of ['Kept.read(name)', 'App.Files.read(name)'])
    expect(follow(code(call), sinkRule('elixir')).matches).toHaveLength(1)
  expect(follow(code('Other.read(name)'), sinkRule('elixir')).matches).toHaveLength(0)
})
