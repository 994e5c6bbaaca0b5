import { expect, test } from 'vitest'
import { perform } from '../../engine/scan/perform.ts'
import { surface } from '../made/call.ts'
import { project } from '../made/project.ts'

/** A function that other files call, one that only this file calls, and one that frameworks hand a request. */
const CODE = `import os
import subprocess
from flask import Flask, request

app = Flask(__name__)


def archive(folder):
    os.system("tar cf out.tar " + folder)


def _count(words):
    subprocess.run("wc " + words, shell=True)


def count_fixed():
    _count("README.md")


@app.route("/list")
def list_files():
    os.system("ls " + request.args["folder"])


def from_environment():
    os.system("ls " + os.environ["FOLDER"])

`

const line = (text: string) => CODE.split('\n').findIndex(each => each.includes(text)) + 1

const scanned = (root: string, input: { to_review?: boolean } = {}) =>
  perform({ repo_path: '.', cache: false, ...input }, surface(root).context)

const places = (findings: readonly { rule_id: string; line: number; confidence: number }[]) =>
  findings
    .filter(({ rule_id }) => rule_id === 'command-injection')
    .map(({ line: at, confidence }) => [at, confidence])
    .sort(([a], [b]) => a! - b!)

test('only what frameworks hand in is input by default', async () => {
  const { findings, run } = await scanned(project({ 'app.py': CODE }))
  expect(places(findings)).toEqual([[line('request.args'), 0.95]])
  expect(run.to_review).toEqual([])
})

test('a parameter at a sink is a place to review on demand, unless the file alone calls its function or a finding is there', async () => {
  const { findings, run } = await scanned(project({ 'app.py': CODE }), { to_review: true })
  expect(places(findings)).toEqual([[line('request.args'), 0.95]])
  expect(run.to_review).toMatchObject([
    { rule_id: 'command-injection', severity: 'low', findings: 1, places: [{ file: 'app.py', line: line('out.tar') }] },
  ])
})

test('analysis.sources makes findings of other input, less sure than those of requests', async () => {
  const sources = (list: string) => ({ 'app.py': CODE, '.svc/config.yaml': `analysis:\n  sources: [${list}]\n` })
  const of = async (list: string) => places((await scanned(project(sources(list)))).findings)
  const request = [line('request.args'), 0.95]
  expect(await of('parameters')).toEqual([[line('out.tar'), 0.5], request])
  expect(await of('environment')).toEqual([request, [line('os.environ'), 0.5]])
})

test.each([
  [
    'go',
    'package a\nimport "os/exec"\nfunc Run(c string) { exec.Command("sh", "-c", c).Run() }\nfunc hidden(c string) { exec.Command("sh", "-c", c).Run() }\nfunc use() { hidden("ls") }\n',
    [3],
  ],
  [
    'java',
    'class A {\n  public void run(String c) throws Exception { Runtime.getRuntime().exec("sh -c " + c); }\n  private void own(String c) throws Exception { Runtime.getRuntime().exec("sh -c " + c); }\n  void use() throws Exception { own("ls"); }\n}\n',
    [2],
  ],
  [
    'js',
    "const { exec } = require('child_process')\nfunction run(c) { exec('ls ' + c) }\nfunction own(c) { exec('ls ' + c) }\nown('a')\nmodule.exports = { run }\n",
    [2],
  ],
  [
    'php',
    '<?php\nclass A {\n  public function run($c) { system("ls " . $c); }\n  private function own($c) { system("ls " . $c); }\n  public function use() { $this->own("a"); }\n}\n',
    [3],
  ],
])('a function that its language hides is followed from its callers: %s', async (extension, code, lines) => {
  const { run } = await scanned(project({ [`a.${extension}`]: code }), { to_review: true })
  expect(
    run.to_review
      ?.filter(({ rule_id }) => rule_id === 'command-injection')
      .flatMap(({ places: all }) => all.map(({ line: at }) => at)),
  ).toEqual(lines)
})
