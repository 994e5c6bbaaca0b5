import type { CodeFile } from '../code/code-file.ts'
import { JAVASCRIPT } from '../code/forms.ts'
import { listMarks, type Mark } from '../code/marks.ts'
import type { CodePlace, EntryPoint } from './model.ts'
import { isTooling } from './units.ts'

/** What the files of one unit show, before elements are made of it. */
export interface UnitFacts {
  directory: string
  entry_points: EntryPoint[]
  marks: Mark[]
  /** Fixed addresses that a file with an HTTP client names, by host. */
  hosts: Map<string, CodePlace>
  /** Where an address is not fixed. */
  outbound: CodePlace[]
  /** Where frameworks of browsers are imported. */
  browser: CodePlace[]
  /** Addresses without encryption. */
  plaintext: CodePlace[]
  files: number
}

export function makeUnit(directory: string): UnitFacts {
  return {
    ...{ directory, entry_points: [], marks: [], hosts: new Map(), outbound: [], browser: [], plaintext: [], files: 0 },
  }
}

const BROWSER =
  /\b(?:from\s{1,3}|import\s{1,3}|require\(\s{0,3}|import\(\s{0,3})['"](?:react-dom(?:\/client)?|vue|@angular\/core|svelte|preact|solid-js\/web|jquery)['"]|\bReactDOM\.render\(|\bdocument\.(?:getElementById|querySelector|addEventListener|write|cookie|location|createElement|body)\b|\bwindow\.(?:location|addEventListener|onload)\b|\bself\.addEventListener\(/
/** Pages and templates of pages: their scripts run in a browser. */
export const MARKUP = /\.(?:html?|xhtml|ejs|hbs|handlebars|mustache|njk|liquid|erb|jinja2?|j2|twig|jsp|cshtml)$/i
/** Modules that no browser has: a file that imports one builds a DOM on a server, or writes code for a page. */
const SERVER =
  /\b(?:from|require\(|import\()\s{0,3}['"](?:node:[\w/]{1,40}|fs|fs\/promises|fs-extra|http|https|http2|net|tls|dgram|cluster|child_process|worker_threads|jsdom|linkedom|cheerio|puppeteer(?:-core)?|playwright(?:-core)?|express)['"]/
const HOST = /https?:\/\/([a-z0-9][a-z0-9.-]{1,200}\.[a-z]{2,24})(?::\d{1,5})?(?=[/'"`\s?#$)]|$)/gi
/** Hosts that are names of vocabularies, places of documents or examples: nobody connects there. */
const NO_PEER =
  /(?:^|\.)(?:w3\.org|schema\.org|json-schema\.org|example\.(?:com|org|net)|localhost|local|test|invalid|internal|xmlsoap\.org|oasis-open\.org|apache\.org|opensource\.org|mozilla\.org|ietf\.org|readthedocs\.io|wikipedia\.org|stackoverflow\.com|medium\.com|npmjs\.com|nodejs\.org|python\.org|java\.sun\.com|springframework\.org|hibernate\.org|microsoft\.com|goo\.gl|git\.io|bit\.ly|ogp\.me|purl\.org|gnu\.org|creativecommons\.org)$|^docs?\.|^www\.|^cdn\.|^fonts\.|^github\.com$|^developers?\./i
/** What stands before an address that a program connects to. */
const SETTING = /\b\w{0,30}(?:url|uri|endpoint|host|base|api|server|address)\w{0,20}['"]?\]?\s{0,5}[:=]\s{0,5}['"`]$/i
/** More hosts than these are data. */
const MOST_HOSTS = 20

/** Adds what a file shows to its unit. Time linear to the text. */
export function addFile(unit: UnitFacts, file: CodeFile): void {
  unit.files++
  const tooling = isTooling(file.path)
  if (MARKUP.test(file.path)) {
    const script = /<script\b/i.exec(file.text)
    if (script && !tooling) unit.browser.push(place(file, script.index, 'scripts of a page'))
    return
  }
  const marks = listMarks(file)
  const endpoints = marks.filter(({ kind }) => kind === 'endpoint')
  // What runs in a browser reaches no store, file or command, whatever its calls look like.
  const found =
    JAVASCRIPT.includes(file.language) && endpoints.length === 0 && !SERVER.test(file.code)
      ? BROWSER.exec(file.code)
      : null
  if (found) {
    if (!tooling) unit.browser.push(place(file, found.index, 'code for browsers'))
    return
  }
  for (const { name, detail, file: path, line } of endpoints) {
    const space = name.indexOf(' ')
    const [method, route] = [name.slice(0, space), name.slice(space + 1)]
    unit.entry_points.push({ method, path: route, framework: detail ?? '', file: path, line, source: 'code' })
  }
  unit.marks.push(...marks.filter(({ kind }) => kind !== 'endpoint' && (!tooling || kind === 'schema')))
  if (tooling) return
  const calls = marks.filter(({ kind }) => kind === 'outbound')
  if (calls.length === 0) return
  const lines = new Set(calls.flatMap(({ line }) => [-3, -2, -1, 0, 1, 2, 3].map(step => line + step)))
  let isFixed = false
  for (const { 0: whole, 1: host, index } of file.code.matchAll(HOST)) {
    const name = host!.toLowerCase()
    const { line } = file.positions.at(index)
    // An address in a message or list is no peer: it stands at the call, or in a setting that is named like one.
    if (NO_PEER.test(name) || !(lines.has(line) || SETTING.test(file.code.slice(Math.max(0, index - 80), index))))
      continue
    isFixed = true
    if (!unit.hosts.has(name) && unit.hosts.size < MOST_HOSTS)
      unit.hosts.set(name, place(file, index, `requests to ${name}`))
    if (/^http:/i.test(whole)) unit.plaintext.push(place(file, index, `request to ${name} without TLS`))
  }
  // Where the file names no peer, the address comes from elsewhere and may be any.
  if (!isFixed)
    for (const { file: path, line, name } of calls.slice(0, 20)) unit.outbound.push({ file: path, line, what: name })
}

function place({ path, positions }: CodeFile, offset: number, what: string): CodePlace {
  return { file: path, line: positions.at(offset).line, what }
}
