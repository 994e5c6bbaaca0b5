import type { Desk } from './github-issues.ts'
import { makeCheck, makeStatus } from './github-shapes.ts'
import type { CheckRun } from './github-state.ts'
import { type Answer, pageOf, type Route } from './server.ts'

/** Check runs, which an app alone may write, and commit statuses. */
export function makeCheckRoutes({ state, at, missing, invalid, writes, apps, nextId, url }: Desk): Route[] {
  function addOutput(run: CheckRun, body: Record<string, unknown>): Answer | undefined {
    const output = body.output as { title: string; summary: string; annotations?: CheckRun['annotations'] } | undefined
    if (!output) return undefined
    if ((output.annotations?.length ?? 0) > 50) return invalid('No more than 50 annotations are allowed')
    if (output.summary.length > 65_535) return invalid('summary is too long')
    run.title = output.title
    run.summary = output.summary
    run.annotations.push(...(output.annotations ?? []))
    return undefined
  }

  return [
    [
      'GET',
      at('/commits/([0-9a-f]+)/check-runs'),
      (request, sha) => {
        const name = request.query.get('check_name')
        const all = state.checks.filter(one => one.head_sha === sha && (!name || one.name === name)).reverse()
        const { items, link } = pageOf(all, request, url())
        return {
          status: 200,
          body: { total_count: all.length, check_runs: items.map(one => makeCheck(one, url())) },
          ...(link && { headers: { link } }),
        }
      },
    ],
    [
      'POST',
      at('/check-runs'),
      apps(({ body }) => {
        const { name, head_sha, external_id = '', status = 'queued', conclusion = null } = body as unknown as CheckRun
        const made: CheckRun = {
          id: nextId(),
          name,
          head_sha,
          external_id,
          status,
          conclusion,
          title: null,
          summary: null,
          annotations: [],
        }
        const refused = addOutput(made, body)
        if (refused) return refused
        state.checks.push(made)
        return { status: 201, body: makeCheck(made, url()) }
      }),
    ],
    [
      'PATCH',
      at('/check-runs/([0-9]+)'),
      apps(({ body }, id) => {
        const found = state.checks.find(one => one.id === Number(id))
        if (!found) return missing
        const refused = addOutput(found, body)
        if (refused) return refused
        if (body.status) found.status = String(body.status)
        if (body.conclusion) found.conclusion = String(body.conclusion)
        return { status: 200, body: makeCheck(found, url()) }
      }),
    ],
    [
      'POST',
      at('/statuses/([0-9a-f]{40})'),
      writes(({ body }, sha) => {
        const { state: value, context, description } = body as Record<string, string>
        state.statuses.push({ sha: sha!, state: value!, context: context!, description: description! })
        return {
          status: 201,
          body: makeStatus({ sha: sha!, state: value!, context: context!, description: description! }, url()),
        }
      }),
    ],
  ]
}
