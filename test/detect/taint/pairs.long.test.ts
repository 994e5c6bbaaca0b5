import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import { registerGrammars } from '../../../engine/detect/syntax/grammar.ts'
import { search } from '../../../scripts/accuracy/search.ts'
import { loadShippedPacks } from '../../made/shipped-packs.ts'

/**
 * Pairs of methods that look alike, of which one is weak and the other is not, under all rules at once. In the files of `pairs`:
 *
 *     # name | number of the weakness (or `94/95` where either will do) | file, where it is a file and no body of a handler
 *     the weak one
 *     ----
 *     the other one
 *     ++++
 *     members that both have
 */
/** What stands for `{{word}}` in the files, which are scanned themselves. */
const WRITTEN: Record<string, string> = { password: `Tr0ub4dor${'-x9'}`, key: 'k3y'.repeat(5).concat('k') }

const FOLDER = join(import.meta.dirname, 'pairs')

registerGrammars()
const rules = new RuleSet((await loadShippedPacks()).flatMap(pack => pack.rules))

interface Language {
  path: string
  /** A body in the place where a program of the language answers requests. */
  around(body: string, members: string): string
}

const LANGUAGES: Record<string, Language> = {
  java: {
    path: 'src/Handler.java',
    around: (body, members) => `package p;
import java.io.*;
import java.util.*;
import java.sql.*;
import javax.servlet.*;
import javax.servlet.http.*;
public class Handler extends HttpServlet {
  @Override
  public void doPost(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
    ${body.replaceAll('; ', ';\n    ')}
  }
  ${members}
}`,
  },
  csharp: {
    path: 'src/Handler.cs',
    around: (body, members) => `using System;
using System.IO;
public class HandlerController : Controller
{
  public IActionResult Go(string n)
  {
    ${body.replaceAll('; ', ';\n    ')}
  }
  ${members}
}`,
  },
  kotlin: {
    path: 'src/Handler.kt',
    around: (body, members) => `package p
class Handler : HttpServlet() {
  override fun doPost(request: HttpServletRequest, response: HttpServletResponse) {
    ${body.replaceAll('; ', '\n    ')}
  }
  ${members}
}`,
  },
  python: { path: 'src/handler.py', around: (body, members) => `${members}\n${body}\n` },
  php: { path: 'src/handler.php', around: (body, members) => `<?php\n${members}\n${body}\n` },
  ruby: { path: 'src/handler.rb', around: (body, members) => `${members}\n${body}\n` },
}

function* pairsOf(language: string, file: string) {
  const text = readFileSync(join(FOLDER, language, file), 'utf8').replace(
    /\{\{(\w+)\}\}/g,
    (_, word: string) => WRITTEN[word]!,
  )
  for (const pair of text.split(/^# /m).slice(1)) {
    const [head = '', ...lines] = pair.split('\n')
    const [name = '', cwe = '', kind] = head.split(' | ')
    const [code = '', members = ''] = lines.join('\n').split('\n++++\n')
    const [weak = '', sound = ''] = code.split('\n----\n')
    yield {
      name,
      cwe: cwe.split('/').map(number => `CWE-${number}`),
      isFile: kind === 'file',
      weak: weak.trim(),
      sound: sound.trim(),
      members,
    }
  }
}

for (const language of readdirSync(FOLDER)) {
  const { path, around } = LANGUAGES[language]!
  for (const file of readdirSync(join(FOLDER, language))) {
    describe(`of two pieces of ${language} in ${file}, the weak one alone is found:`, () => {
      test.each([...pairsOf(language, file)])('$name ($cwe)', ({ cwe, isFile, weak, sound, members }) => {
        const finds = (body: string): boolean => {
          const text = isFile ? body.replaceAll('{ ', '{\n ') : around(body, members)
          const found = search(rules, path, new TextEncoder().encode(text), language)
          return found.some(({ rule }) => cwe.some(number => rule.cwe.includes(number)))
        }
        expect([finds(weak), finds(sound)]).toEqual([true, false])
      })
    })
  }
}
