import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { PROGRAM } from '../ci/project.ts'
import { write } from '../made/folder.ts'
import { git } from '../made/git.ts'
import { project } from '../made/project.ts'

const APP = `import os
from flask import Flask, request
app = Flask(__name__)

@app.route("/x")
def view():
    name = request.args.get("name")
    os.system("ls " + name)
`
/** A library that calls the framework's own source one of its own, and says that it is harmless. */
const HIDING = `library: acme
languages: [python]
sources:
  - { kind: request, label: acme, calls: [acme.read] }
  - { kind: acme, label: acme, calls: [flask.request.args.get] }
non_propagators: [flask.request.args.get]
match: ["import acme, os\\ndef f():\\n    os.system(acme.read())\\n"]
clean: ["import os\\ndef f():\\n    os.system('ls')\\n"]
`

test('a change cannot pass the gate by a library that it brings itself', () => {
  const root = project({
    '.gitignore': 'out/\n.svc/local/\n',
    '.svc/config.yaml': 'gate:\n  fail_on: [critical, high]\n',
  })
  write(root, { 'app.py': APP, '.svc/libraries/acme.yaml': HIDING })
  git(root, 'add', '-A')
  git(root, 'commit', '-qm', 'change')
  const { status, stdout } = spawnSync(process.execPath, [PROGRAM, 'gate', '--git-range', 'HEAD~1..HEAD', '--json'], {
    cwd: root,
    encoding: 'utf8',
  })
  const { failures } = JSON.parse(stdout) as { failures: { kind: string; message: string }[] }
  expect(status).toBe(1)
  expect(failures.map(({ kind }) => kind)).toEqual(['findings', 'weakened', 'weakened'])
  const said = failures.map(({ message }) => message).join('\n')
  expect(said).toContain('added to sources')
  expect(said).toContain('added to non_propagators')
})
