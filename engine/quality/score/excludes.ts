import { isTestPath } from '../../base/languages/languages.ts'
import { compileExcludes, type Excludes } from '../../sources/repository/exclude.ts'

/** Which files the quality score leaves out, and by which setting. */
export interface QualityExcludes {
  source: 'quality_exclude' | 'scan_exclude'
  isExcluded: Excludes
  /** Entries of scan_exclude that are not applied because they would hide tests. */
  ignored: string[]
}

/**
 * `quality_exclude` replaces `scan_exclude` and is taken literally. Without it, `scan_exclude` applies except for entries that would hide test
 * directories: those that match tests only, whether by their name or by what lies below them.
 */
export function selectQualityExcludes(
  config: { scan_exclude: readonly string[]; quality_exclude?: readonly string[] },
  listed: readonly string[],
): QualityExcludes {
  if (config.quality_exclude) {
    const isExcluded = compileExcludes(config.quality_exclude, 'quality_exclude')
    return { source: 'quality_exclude', isExcluded, ignored: [] }
  }
  const ignored = config.scan_exclude.filter(entry => {
    const takes = compileExcludes([entry])
    const taken = listed.filter(path => takes(path))
    return taken.length > 0 && taken.every(path => isTestPath(path))
  })
  const isExcluded = compileExcludes(config.scan_exclude.filter(entry => !ignored.includes(entry)))
  return { source: 'scan_exclude', isExcluded, ignored }
}
