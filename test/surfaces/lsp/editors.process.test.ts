import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { DIST } from '../../../engine/base/disk/assets.ts'
import { folder } from '../../made/folder.ts'
import { project } from '../../made/project.ts'
import { textOf } from '../../root.ts'

const UNSAFE = 'import yaml\n\ndef read(text):\n    return yaml.load(text, Loader=yaml.Loader)\n'
const RULE = 'python-yaml-unsafe-load'

const isMissing = (program: string) => spawnSync(program, ['--version']).error !== undefined
const withoutNeovim = isMissing('nvim')
const withoutEglot =
  isMissing('emacs') || spawnSync('emacs', ['-batch', '-f', 'package-initialize', '-l', 'eglot']).status !== 0

/** The first block of a language on the page for editors. */
function readBlock(language: string): string {
  const block = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(textOf('docs/editors.md'))
  return block![1]!
}

/** An environment in which `svc` is this build. */
function makeEnvironment(): NodeJS.ProcessEnv {
  const home = folder({})
  const bin = join(home, 'bin')
  mkdirSync(bin)
  writeFileSync(
    join(bin, 'svc'),
    `#!/bin/sh\nexec '${process.execPath}' '${fileURLToPath(new URL('svc.js', DIST))}' "$@"\n`,
  )
  chmodSync(join(bin, 'svc'), 0o755)
  return { ...process.env, HOME: home, PATH: `${bin}${delimiter}${process.env.PATH}` }
}

it.skipIf(withoutNeovim)(
  'Neovim, set up as documented, shows a finding and takes it back after an edit',
  { timeout: 60_000 },
  () => {
    const root = project({ 'a.py': UNSAFE })
    const script = `${readBlock('lua')}
vim.cmd('edit a.py')
local function count() return #vim.diagnostic.get(0) end
vim.wait(30000, function() return count() > 0 end, 50)
local before = vim.diagnostic.get(0)[1]
vim.api.nvim_buf_set_lines(0, 3, 4, false, { '    return text' })
local gone = vim.wait(30000, function() return count() == 0 end, 50)
local out = io.open('result.txt', 'w')
out:write((before and before.code or 'none') .. ' ' .. (before and before.lnum or -1) .. ' ' .. tostring(gone))
out:close()
vim.cmd('qa!')
`
    writeFileSync(join(root, 'init.lua'), script)
    execFileSync('nvim', ['--headless', '--clean', '-u', 'init.lua'], {
      cwd: root,
      env: makeEnvironment(),
      timeout: 50_000,
    })
    expect(readFileSync(join(root, 'result.txt'), 'utf8')).toBe(`${RULE} 3 true`)
  },
)

it.skipIf(withoutEglot)('Emacs with Eglot, set up as documented, shows a finding', { timeout: 60_000 }, () => {
  const root = project({ 'a.py': UNSAFE })
  const script = `${readBlock('lisp')}
(package-initialize)
(require 'eglot)
(setq eglot-sync-connect 30 eglot-autoshutdown t)
(find-file "a.py")
(apply #'eglot--connect (eglot--guess-contact))
(eglot--maybe-activate-editing-mode)
(flymake-start)
(let ((until (+ (float-time) 30)))
  (while (and (< (float-time) until) (null (flymake-diagnostics)))
    (accept-process-output nil 0.1)
    (flymake-start)))
(message "SHOWN %s" (mapconcat #'flymake-diagnostic-text (flymake-diagnostics) " | "))
(kill-emacs 0)
`
  writeFileSync(join(root, 'init.el'), script)
  const { stderr } = spawnSync('emacs', ['-batch', '-l', 'init.el'], {
    cwd: root,
    env: makeEnvironment(),
    encoding: 'utf8',
    timeout: 50_000,
  })
  expect(stderr).toContain(RULE)
  expect(stderr).toMatch(/SHOWN .*yaml/i)
})
