/** A refusal of the server's; `message` is the problem's detail. Status 0: the server did not answer. */
export class Refusal extends Error {
  readonly code: string
  readonly status: number

  constructor(problem: { detail?: string; code?: string; status?: number }) {
    super(problem.detail ?? 'The server refused the request.')
    this.code = problem.code ?? 'INTERNAL'
    this.status = problem.status ?? 0
  }
}
