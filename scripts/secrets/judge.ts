// Says how well the program does on the labelled places: a place counts as found where a finding begins on its line, whichever detector's.
// The files with labels are put into a repository of their own, and the built program looks through it.
// Usage: npx tsx scripts/secrets/judge.ts <folder with the packages unpacked> [--packages <file with a name a line>]
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type Label, readLabels } from './label-set.ts'

const SVC = resolve(import.meta.dirname, '../../dist/svc.js')
const THRESHOLDS = [0, 0.5, 0.7]

interface Found {
  secrets: { places: { file: string; line: number; confidence: number }[] }[]
}

const [trees, option, list] = process.argv.slice(2)
if (trees === undefined || (option !== undefined && option !== '--packages') || (option && list === undefined))
  throw new Error(
    'Give the folder that holds the packages unpacked, and after --packages a file that names some of them.',
  )
const chosen = list === undefined ? undefined : new Set(readFileSync(list, 'utf8').split('\n'))
const pathOf = ({ package: name, version, path }: Label) => `${name}_${version}/${path}`
const labels = readLabels().filter(
  label => (chosen?.has(label.package) ?? true) && existsSync(join(trees, pathOf(label))),
)
const surest = confidences(labels)
for (const heldOut of [false, true])
  report(
    heldOut ? 'held out' : 'learnt from',
    labels.filter(label => label.heldOut === heldOut),
  )

/** The surest finding of each line, by file and line. */
function confidences(labels: readonly Label[]): Map<string, number> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-judge-'))
  try {
    for (const path of new Set(labels.map(pathOf))) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      copyFileSync(join(trees!, path), join(folder, path))
    }
    execFileSync('git', ['init', '-q'], { cwd: folder })
    execFileSync('git', ['add', '-f', '.'], { cwd: folder })
    const { stdout, status } = spawnSync(process.execPath, [SVC, 'secrets', '--json'], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    })
    if (status !== 0 && status !== 1) throw new Error(`The program ended with ${status}.`)
    const surest = new Map<string, number>()
    for (const { file, line, confidence } of (JSON.parse(stdout) as Found).secrets.flatMap(({ places }) => places)) {
      const key = `${file}:${line}`
      surest.set(key, Math.max(confidence, surest.get(key) ?? 0))
    }
    return surest
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function report(title: string, own: readonly Label[]): void {
  const secrets = own.filter(({ secret }) => secret).length
  console.log(`${title}: ${own.length} places, ${secrets} of them secrets`)
  for (const threshold of THRESHOLDS) {
    const found = own.filter(label => (surest.get(`${pathOf(label)}:${label.line}`) ?? -1) >= threshold)
    const right = found.filter(({ secret }) => secret).length
    console.log(
      `  from ${threshold}: precision ${(right / found.length).toFixed(3)}, recall ${(right / secrets).toFixed(3)}`,
    )
  }
}
