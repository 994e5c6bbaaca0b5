import type { Try } from './ground.ts'
import { attributes } from './tries/attributes.ts'
import { encodings } from './tries/encodings.ts'
import { files } from './tries/files.ts'
import { history } from './tries/history.ts'
import { programs } from './tries/programs.ts'
import { records } from './tries/records.ts'
import { settings } from './tries/settings.ts'
import { sizes } from './tries/sizes.ts'
import { times } from './tries/times.ts'

/** Everything that is tried, by what it abuses. */
export const TRIES: Record<string, readonly Try[]> = {
  attributes,
  encodings,
  'sizes and shapes': sizes,
  'files and links': files,
  'repositories and history': history,
  'settings of the repository': settings,
  'times, races and notebooks': times,
  'governance records': records,
  'programs that a repository names': programs,
}
