import { expect, test } from 'vitest'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import { registerGrammars } from '../../../engine/detect/syntax/grammar.ts'
import { loadBuiltinRules } from '../../../engine/sources/packs/load.ts'
import { search } from '../../../scripts/accuracy/search.ts'

registerGrammars()
const rules = new RuleSet(loadBuiltinRules())

/** Input that a search takes apart, which reaches a sink then; the pattern is fixed. */
const CASES: [language: string, path: string, rule: string, code: string][] = [
  [
    'java',
    'A.java',
    'java-sql-injection',
    `import javax.servlet.http.*;
import java.sql.*;
class A extends HttpServlet {
  Connection db;
  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    String[] parts = request.getParameter("q").split(",");
    db.createStatement().executeQuery("SELECT * FROM t WHERE a = '" + parts[0] + "'");
  }
}`,
  ],
  [
    'java',
    'B.java',
    'java-sql-injection',
    `import javax.servlet.http.*;
import java.sql.*;
class B extends HttpServlet {
  Connection db;
  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    String name = request.getParameter("q").replaceAll("\\\\s+", " ");
    db.createStatement().executeQuery("SELECT * FROM t WHERE a = '" + name + "'");
  }
}`,
  ],
  [
    'python',
    'a.py',
    'python-command-injection',
    `import os, re
from flask import Flask, request
app = Flask(__name__)
@app.route("/a")
def a():
    for part in re.split(r"\\s*,\\s*", request.args["q"]):
        os.system("ls " + part)
    return ""`,
  ],
  [
    'python',
    'b.py',
    'python-command-injection',
    `import os, re
from flask import Flask, request
app = Flask(__name__)
@app.route("/b")
def b():
    os.system("ls " + re.sub(r"\\s+", " ", request.args["q"]))
    return ""`,
  ],
  [
    'javascript',
    'a.js',
    'node-command-from-request',
    `const express = require('express')
const { exec } = require('child_process')
const app = express()
app.get('/a', (req, res) => {
  const text = req.query.q
  const found = text.match(/(.*)/)
  exec('ls ' + found[1])
  res.end()
})`,
  ],
  [
    'php',
    'a.php',
    'php-command-injection',
    `<?php
$parts = preg_split('/,/', $_GET['q']);
system('ls ' . $parts[0]);
`,
  ],
  [
    'php',
    'b.php',
    'php-command-injection',
    `<?php
$name = preg_replace('/\\s+/', ' ', $_GET['q']);
system('ls ' . $name);
`,
  ],
  [
    'csharp',
    'A.cs',
    'csharp-sql-injection',
    `using System.Data.SqlClient;
using System.Text.RegularExpressions;
using Microsoft.AspNetCore.Mvc;
public class A : Controller {
  public IActionResult Get(string q) {
    var name = Regex.Replace(Request.Query["q"], "\\\\s+", " ");
    var command = new SqlCommand("SELECT * FROM t WHERE a = '" + name + "'");
    return Ok(command.ExecuteScalar());
  }
}`,
  ],
]

test.each(CASES)('%s: input goes on behind a search with a fixed pattern (%s, %s)', (language, path, rule, code) => {
  const found = search(rules, path, new TextEncoder().encode(code), language).map(
    ({ rule: { id, cwe } }) => `${id} ${cwe}`,
  )
  expect(
    found.some(id => id.startsWith(rule)),
    found.join(),
  ).toBe(true)
})

test('of the pattern nothing comes out, and a flow that one rule has reported goes on for the others', () => {
  const code = `import os, re
from flask import Flask, request
app = Flask(__name__)
@app.route("/a")
def a():
    text = request.args["q"]
    os.system(re.findall(request.args["p"], "fixed")[0])
    os.system(re.split(text, text)[0])
    return ""`
  const found = search(rules, 'a.py', new TextEncoder().encode(code), 'python')
  expect(found.map(({ rule: { id }, line }) => `${id}:${line}`)).toEqual(
    expect.arrayContaining(['python-regex-injection:7', 'python-regex-injection:8']),
  )
  expect(found.map(({ rule: { id }, line }) => `${id}:${line}`)).not.toContain('python-command-injection:7')
})
