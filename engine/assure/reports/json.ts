import type { ReportModel } from '../model.ts'

/** One JSON object {run, findings}, a finding a line. */
export function* renderJson({ run, findings }: ReportModel): Iterable<string> {
  yield `{"run":${JSON.stringify(run)},\n"findings":[`
  let comma = '\n'
  for (const finding of findings) {
    yield `${comma}${JSON.stringify(finding)}`
    comma = ',\n'
  }
  yield '\n]}\n'
}
