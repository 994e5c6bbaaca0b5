import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ALL_PACKS, inFolder, lastRun, type Soaked, svc } from './program.ts'
import { nameFor, ruleExamples } from './samples.ts'

/** Files of one line of so many bytes, with the limit on size raised past it; each is scanned or listed, and the scan ends in time. */
export async function longLines({
  bytes,
  languages,
}: {
  bytes: number
  languages: readonly string[]
}): Promise<Soaked> {
  const soaked: Soaked = { tried: 0, faults: [], figures: {} }
  const examples = ruleExamples()
  for (const language of languages) {
    await inFolder(async folder => {
      const own = examples.filter(example => example.language === language)
      const words = own.slice(0, 20).map(({ text }) => text.replaceAll('\n', ' '))
      const texts = [`${words.join(' ')} `, 'x', 'a ', '(', '"', words[0] ?? 'y ']
      texts.forEach((text, index) => {
        const line = text.repeat(Math.ceil(bytes / Buffer.byteLength(text)))
        mkdirSync(join(folder, `f${index}`))
        writeFileSync(join(folder, `f${index}`, nameFor(language)), line)
      })
      mkdirSync(join(folder, '.svc'))
      writeFileSync(join(folder, '.svc/config.yaml'), `${ALL_PACKS}scan: { max_file_bytes: 268435456 }\n`)
      soaked.tried += texts.length
      const { code, signal, ms, stderr, timedOut } = await svc(folder, ['scan', '--no-cache', '--quiet'], 600_000)
      soaked.figures[`${language}, ms`] = Math.round(ms)
      if (code !== 0) {
        soaked.faults.push(
          `${language}: ${timedOut ? 'no end within 600 s' : (signal ?? `exit ${code}, ${stderr.trim()}`)}`,
        )
        return
      }
      const { counts, skipped } = lastRun(folder)
      if (counts.files + skipped.length !== texts.length + 1)
        soaked.faults.push(
          `${language}: ${counts.files} scanned of ${texts.length + 1}, listed ${JSON.stringify(skipped)}`,
        )
      const givenUp = skipped.filter(({ reason }) => reason === 'timed_out' || reason === 'crashed')
      if (givenUp.length > 0) soaked.figures[`${language}, given up`] = JSON.stringify(givenUp)
    })
  }
  return soaked
}
