import { type Area, findLanguage, findTopDirectory, takesSkill } from './areas.ts'
import type { ExpertiseProfile } from './profile.ts'

/** So many commits in an area are taken for knowing it, or as many as there are where it has fewer. */
export const FAMILIAR_COMMITS = 10

/** What one author changes. */
export interface AuthoredChange {
  author: string
  paths: readonly string[]
}

/** A part of a change in which its author has little or no experience. */
export interface ExpertiseGap extends Area {
  author: string
  /** `warning`: others know the area, and the author has no commit there. `info`: some, or nobody knows it. */
  severity: 'warning' | 'info'
  /** From 0 to 1: the part of the change in the area, times how much of the experience is missing. */
  gap: number
  /** The part of the changed files that is in the area. */
  change_share: number
  files: number
  /** The author's commits in the area, all commits there, and how many are taken for knowing it. */
  commits: number
  area_commits: number
  needed: number
  message: string
}

/**
 * The gaps of a change of at least the threshold, the largest first. `gap = files in the area / files of the change × (1 − commits / needed)`,
 * where `needed` is 10, or all commits of the area where it has fewer. So a lower threshold reports more.
 */
export function findGaps(
  changes: readonly AuthoredChange[],
  profile: ExpertiseProfile,
  threshold: number,
  days: number,
): ExpertiseGap[] {
  const authors = new Map(profile.authors.map(author => [author.author, author]))
  const gaps: ExpertiseGap[] = []
  for (const { author, paths } of changes) {
    const own = authors.get(author)
    for (const [kind, counts] of listAreas(paths)) {
      const known = kind === 'language' ? profile.languages : profile.directories
      const mine = (kind === 'language' ? own?.languages : own?.directories) ?? {}
      for (const [name, files] of counts) {
        if (!takesSkill({ kind, name })) continue
        const area_commits = Object.hasOwn(known, name) ? known[name]!.commits : 0
        const commits = Object.hasOwn(mine, name) ? mine[name]!.commits : 0
        const needed = Math.min(FAMILIAR_COMMITS, area_commits)
        const missing = needed === 0 ? 1 : 1 - Math.min(1, commits / needed)
        const change_share = files / paths.length
        const gap = round(change_share * missing)
        if (missing === 0 || gap < threshold) continue
        const severity = commits === 0 && area_commits > 0 ? 'warning' : 'info'
        const message = describeGap({ kind, name, commits, area_commits }, days)
        const numbers = { gap, change_share: round(change_share), files, commits, area_commits, needed }
        gaps.push({ author, kind, name, severity, ...numbers, message })
      }
    }
  }
  return gaps.sort((a, b) => b.gap - a.gap || compare(a, b))
}

function compare(a: ExpertiseGap, b: ExpertiseGap): number {
  const [one, other] = [a, b].map(({ author, kind, name }) => `${author}\0${kind}\0${name}`) as [string, string]
  return one < other ? -1 : one > other ? 1 : 0
}

function listAreas(paths: readonly string[]): [Area['kind'], Map<string, number>][] {
  const languages = new Map<string, number>()
  const directories = new Map<string, number>()
  for (const path of paths) {
    const language = findLanguage(path)
    if (language !== undefined) languages.set(language, (languages.get(language) ?? 0) + 1)
    const directory = findTopDirectory(path)
    directories.set(directory, (directories.get(directory) ?? 0) + 1)
  }
  return [
    ['language', languages],
    ['directory', directories],
  ]
}

function describeGap(
  { kind, name, commits, area_commits }: Area & Record<'commits' | 'area_commits', number>,
  days: number,
) {
  const where = kind === 'language' ? name : name === '.' ? 'files at the root' : `${name}/`
  if (area_commits === 0) return `Nobody has changed ${where} in the last ${days} days.`
  const own = commits === 0 ? 'no commit' : commits === 1 ? '1 commit' : `${commits} commits`
  return `The author has ${own} in ${where} in the last ${days} days, of ${area_commits} in all.`
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
