import type { View } from '../../base/text/view.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount, groupDigits } from '../../base/text/words.ts'
import { type DesignConstraints, describeConventions } from './constraints.ts'
import type { Source } from './detect.ts'
import type { ProjectProfile } from './profile.ts'

/** Modules and decision records that are listed without -v. */
const SHOWN = 15

/** The profile in sections; each fact with the file that shows it. */
export function formatProfile(profile: ProjectProfile, { paint, verbose }: View): string {
  const at = ({ file, line }: Source) =>
    paint('dim', `${escapeInvisibleLine(file)}${line === undefined ? '' : `:${line}`}`)
  const most = verbose ? Number.POSITIVE_INFINITY : SHOWN
  const section = (title: string, lines: readonly string[]) => {
    if (lines.length === 0) return []
    const more = lines.length > most ? [`  ... and ${lines.length - most} more; -v lists them`] : []
    return [paint('bold', title), ...lines.slice(0, most).map(line => `  ${line}`), ...more, '']
  }
  return [
    ...section(
      'Languages',
      profile.languages.map(
        ({ name, files, test_files }) =>
          `${name}: ${formatCount(files, 'file')}, ${groupDigits(test_files)} of them tests`,
      ),
    ),
    ...section(
      'Frameworks',
      profile.frameworks.map(({ name, kind, source }) => `${name} (${kind})  ${at(source)}`),
    ),
    ...section(
      'Build tools',
      profile.build_tools.map(({ name, source }) => `${name}  ${at(source)}`),
    ),
    ...section(
      'Package managers',
      profile.package_managers.map(({ name, source }) => `${name}  ${at(source)}`),
    ),
    ...section(
      'Architecture patterns',
      profile.architecture_patterns.map(
        ({ name, evidence }) => `${name}  ${paint('dim', evidence.map(escapeInvisibleLine).join(', '))}`,
      ),
    ),
    ...section(
      'Decision records',
      profile.adrs.map(
        ({ file, title, status }) =>
          `${escapeInvisibleLine(title)}${status ? ` (${escapeInvisibleLine(status)})` : ''}  ${at({ file })}`,
      ),
    ),
    ...section(
      'Conventions',
      profile.conventions.flatMap(own => describeConventions(own).map(text => `${own.language}: ${text}`)),
    ),
    ...section(
      'Modules',
      profile.modules.map(
        ({ directory, purpose, files }) =>
          `${escapeInvisibleLine(directory)}: ${purpose}, ${formatCount(files, 'file')}`,
      ),
    ),
  ]
    .join('\n')
    .trimEnd()
}

/** What holds for one path. */
export function formatConstraints(constraints: DesignConstraints, { paint }: View): string {
  const { path, language, module, frameworks, conventions, architecture, architecture_file, adrs } = constraints
  const section = (title: string, lines: readonly string[], none: string) => [
    '',
    paint('bold', title),
    ...(lines.length > 0 ? lines : [none]).map(line => `  ${line}`),
  ]
  const where = module ? `, in ${escapeInvisibleLine(module.directory)} (${module.purpose})` : ''
  return [
    `${escapeInvisibleLine(path)}: ${language ?? 'no known language'}${where}`,
    ...section('Conventions', conventions, 'None was measured.'),
    ...section(
      `Architecture rules${architecture_file ? ` (${escapeInvisibleLine(architecture_file)})` : ''}`,
      architecture.map(({ rule, text, reason }) =>
        escapeInvisibleLine(`${rule}: ${text}${reason ? ` ${reason}` : ''}`),
      ),
      architecture_file ? 'None applies to this path.' : 'The repository has none (svc check-arch --init writes them).',
    ),
    ...section(
      'Decision records',
      adrs.map(
        ({ file, title, names_path }) =>
          `${escapeInvisibleLine(title)} (${escapeInvisibleLine(file)})${names_path ? ', names this path' : ''}`,
      ),
      'None was found.',
    ),
    ...section(
      'Frameworks',
      frameworks.map(({ name }) => name),
      'None was found.',
    ),
  ].join('\n')
}
