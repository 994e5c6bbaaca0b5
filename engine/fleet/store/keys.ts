import { EngineError } from '../../base/errors.ts'

/** Characters of a key: S3 has 1024 bytes for it, and file names are added. */
const LONGEST = 800

/** Characters of a project's name: the run's id and svc's own names are added. */
const LONGEST_PROJECT = 650

/** A project, a run or a file in a key. Names with a leading underscore are svc's own. */
const SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9._+@-]{0,199}$/

/**
 * The key, if it can be one on every kind of store: names of letters, digits and `._+@-` between slashes, none of them hidden, none a
 * path upwards, none that of the file that completes a run. INPUT_INVALID otherwise.
 */
export function checkKey(key: string): string {
  const segments = key.split('/')
  if (key.length <= LONGEST && segments.every(each => SEGMENT.test(each) && !each.endsWith('.') && each !== MANIFEST))
    return key
  throw new EngineError('INPUT_INVALID', `${JSON.stringify(key.slice(0, 200))} cannot be a key of a run store.`, {
    hint: 'Use <project>/<run-id>: letters, digits, dots, hyphens and underscores between slashes.',
  })
}

/** Below a project: runs of its pull requests. */
export const PULL_REQUESTS = '_pull-requests'

/** The name of a project, if it can be one: a key without svc's own names. INPUT_INVALID otherwise. */
export function checkProject(project: string): string {
  const checked = checkKey(project)
  if (checked.length <= LONGEST_PROJECT && !checked.split('/').some(each => each.startsWith('_'))) return checked
  throw new EngineError('INPUT_INVALID', `${JSON.stringify(project.slice(0, 200))} cannot be the name of a project.`, {
    hint: `Use up to ${LONGEST_PROJECT} letters, digits, dots, hyphens and slashes; no part begins with an underscore.`,
  })
}

/** The key of a project: what other characters its name has become hyphens, and a digest keeps two such names apart. */
export function makeProjectKey(name: string, digest: (text: string) => string): string {
  const segments = name.split('/').map(each =>
    each
      .replace(/[^A-Za-z0-9._+@-]/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .replace(/\.+$/, '')
      .slice(0, 150),
  )
  const key = segments.filter(each => each !== '').join('/')
  return key === name && !segments.includes(MANIFEST) ? key : `${key.slice(0, 600) || 'project'}-${digest(name)}`
}

/** The object that is written last: a run exists once it does. */
export const MANIFEST = 'run.json'
