import type { FilePolicyRule, PackedRule } from '../../base/records/rule.ts'
import { compileGlob, filterPaths } from '../../base/text/glob.ts'
import type { PathJudge } from '../rules/detector.ts'

/** Policies over the list of files: forbidden files, names, required files. */
export default {
  type: 'file_policy',

  isAboutPaths: ({ check }) => 'required_file' in check || 'forbidden_file' in check || 'naming' in check,

  *judge({ check, files }, listed, isWhole) {
    if ('forbidden_file' in check) for (const { path } of listed.matching(files)) yield { path }
    if ('naming' in check) {
      const expression = new RegExp(check.naming, 'u')
      for (const { path } of listed.matching(files))
        if (!expression.test(fileName(path))) yield { path, note: `the name does not match ${check.naming}` }
    }
    if ('required_file' in check && isWhole && [...listed.matching([check.required_file])].length === 0)
      yield { path: check.required_file, note: `no file ${check.required_file} in the repository` }
  },

  listRequired: ({ check }) => ('required_file' in check ? [check.required_file] : []),

  firesOn(rule, path) {
    const { check } = rule
    if ('required_file' in check) return path === undefined || !compileGlob(check.required_file)(path)
    if (path === undefined) return false
    if ('forbidden_file' in check) return filterPaths(rule)(path)
    return 'naming' in check && !new RegExp(check.naming, 'u').test(fileName(path))
  },
} satisfies PathJudge<FilePolicyRule & PackedRule>

function fileName(path: string): string {
  return path.split('/').at(-1)!
}
