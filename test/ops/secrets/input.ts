/** The input of `svc secrets` with its defaults. */
export const INPUT = {
  repo_path: '.',
  staged: false,
  history: false,
  stdin: false,
  baseline: false,
  verify: false,
  explain: false,
}
