import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { measure } from '../process.ts'
import { git } from './checkout.ts'
import { inFolder, lastRun, ROOT, type Soaked } from './program.ts'
import { ruleExamples } from './samples.ts'

/** Files in a folder, as in a real tree. */
const PER_FOLDER = 200

/** Scans a repository of so many small files, anew and again, and notes time and memory. */
export async function manyFiles({ count }: { count: number }): Promise<Soaked> {
  return inFolder(async folder => {
    const examples = ruleExamples()
    for (let index = 0; index < count; index++) {
      const place = join(folder, `d${Math.floor(index / PER_FOLDER / 40)}/e${Math.floor(index / PER_FOLDER)}`)
      if (index % PER_FOLDER === 0) mkdirSync(place, { recursive: true })
      const { name, text } = examples[index % examples.length]!
      writeFileSync(join(place, `f${index}-${name}`), `${text}\n`)
    }
    git(folder, 'init', '-q')
    git(folder, 'add', '-A')
    git(folder, 'commit', '-qm', 'first')
    const soaked: Soaked = { tried: 0, faults: [], figures: {} }
    for (const kind of ['cold', 'warm']) {
      const { ms, peak_mb, code } = await measure(
        process.execPath,
        [join(ROOT, 'dist/svc.js'), 'scan', '--quiet'],
        folder,
      )
      if (code !== 0) soaked.faults.push(`the ${kind} scan ended with ${code}`)
      else {
        const { counts, skipped } = lastRun(folder)
        if (counts.files + skipped.length !== count)
          soaked.faults.push(`of ${count} files ${counts.files} were scanned and ${skipped.length} listed`)
        soaked.tried = counts.files
      }
      soaked.figures[`${kind} scan`] = `${(ms / 1000).toFixed(1)} s, ${peak_mb} MB`
    }
    return soaked
  })
}
