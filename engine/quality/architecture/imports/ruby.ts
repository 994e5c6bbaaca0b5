import { Positions } from '../../../base/text/positions.ts'
import type { ImportLanguage, ImportReader, Project, Report, Site, Target } from './language.ts'
import { blankSource, climb, getFolder, joinPath, NamePool } from './source-text.ts'

/** Imports of Ruby: `require`, `require_relative`, `load` and `autoload` with a literal. Constants that Rails loads by name are not seen. */
const ruby: ImportLanguage = {
  name: 'ruby',
  languages: ['ruby'],
  open: async project => new RubyImports(project),
}

export default ruby

const CALL =
  /(?<![\w.:@$])(require_relative|require|load|autoload)\b[ \t(]*(?::?[\w:]+[ \t]*,[ \t]*)?(["'])([^"'\n]*)\2/g
/** Directories of a load path, as gems and Rails have them. */
const LOAD_FOLDERS = ['lib', 'app', 'test', 'spec', '']
/** Libraries that come with Ruby, of which programs name the most. */
const LIBRARY = new Set(
  'abbrev base64 benchmark bigdecimal bundler cgi coverage csv date delegate digest drb english erb etc expect fcntl fiddle fileutils find forwardable getoptlong io ipaddr irb json logger matrix minitest monitor mutex_m net nkf objspace observer open-uri open3 openssl optparse ostruct pathname pp prettyprint prime pstore psych pty racc rake rbconfig rdoc readline reline resolv rexml rinda ripper rss rubygems securerandom set shellwords singleton socket stringio strscan syslog tempfile thread time timeout tmpdir tracer tsort un unicode_normalize uri weakref webrick yaml zlib'.split(
    ' ',
  ),
)

class RubyImports implements ImportReader {
  readonly #project: Project
  readonly #sites = new Map<number, (Site & { form: string })[]>()
  readonly #names = new NamePool()

  constructor(project: Project) {
    this.#project = project
  }

  collect(file: number, text: string): void {
    if (!/\b(?:require|load)/.test(text)) return
    const { code, withStrings } = blankSource('ruby', text)
    const positions = new Positions(text)
    const sites = [...withStrings.matchAll(CALL)]
      .filter(({ index }) => code[index] !== ' ')
      .map(({ 1: form, 3: name, index }) => ({
        specifier: this.#names.keep(name!),
        form: form!,
        kind: form === 'autoload' ? ('dynamic' as const) : ('require' as const),
        ...positions.at(index),
      }))
    if (sites.length > 0) this.#sites.set(file, sites)
  }

  resolve(report: Report): void {
    for (const [file, sites] of this.#sites)
      for (const { form, ...site } of sites)
        report(file, site, this.#find(this.#project.paths[file]!, form, site.specifier))
  }

  #find(path: string, form: string, name: string): Target {
    if (name.includes('#{')) return { state: 'computed', reason: 'the name is computed at run time' }
    const folder = getFolder(path)
    const isRelative = form === 'require_relative' || /^\.{1,2}\//.test(name)
    const places = isRelative
      ? [joinPath(folder, name)]
      : [...climb(folder)].flatMap(each => LOAD_FOLDERS.map(load => joinPath(each, `${load}/${name}`)))
    for (const place of places) {
      const file =
        place === undefined ? undefined : (this.#project.numbers.get(`${place}.rb`) ?? this.#project.numbers.get(place))
      if (file !== undefined) return { file }
    }
    if (isRelative) return { state: 'missing', reason: 'no such file' }
    const top = name.split('/', 1)[0]!
    return { external: { name: top, kind: LIBRARY.has(top.toLowerCase()) ? 'builtin' : 'package' } }
  }
}
