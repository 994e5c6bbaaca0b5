import type { RequestFigure as Figure } from '../engine/base/context.ts'

/** Upper bounds of the histogram in seconds, as Prometheus' client libraries have them. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** What a server counts of its requests. */
export interface RequestFigures {
  /** `route` is the pattern of a route, so that there are as many as there are routes. */
  observe(request: { method: string; route: string; status: number; seconds: number }): void
  read(): Figure[]
}

interface Durations {
  method: string
  route: string
  /** Requests per bucket; the last is for all that took longer. */
  buckets: number[]
  sum: number
}

export function createRequestFigures(): RequestFigures {
  const requests = new Map<string, { labels: Record<string, string>; value: number }>()
  const durations = new Map<string, Durations>()
  return {
    observe({ method, route, status, seconds }) {
      const name = `${method} ${route}`
      const counted = requests.get(`${name} ${status}`)
      if (counted) counted.value++
      else requests.set(`${name} ${status}`, { labels: { method, route, code: String(status) }, value: 1 })
      const known = durations.get(name) ?? { method, route, buckets: new Array(BUCKETS.length + 1).fill(0), sum: 0 }
      durations.set(name, known)
      const at = BUCKETS.findIndex(bound => seconds <= bound)
      known.buckets[at === -1 ? BUCKETS.length : at]!++
      known.sum += seconds
    },
    read: () => [
      {
        ...{ name: 'svc_http_requests_total', help: 'Requests that were answered.', type: 'counter' },
        samples: [...requests.values()].map(({ labels, value }) => ({ labels, value })),
      },
      {
        ...{ name: 'svc_http_request_duration_seconds', help: 'Duration of requests.', type: 'histogram' },
        samples: [...durations.values()].flatMap(samplesOf),
      },
    ],
  }
}

function samplesOf({ method, route, buckets, sum }: Durations): Figure['samples'] {
  const labels = { method, route }
  let count = 0
  const cumulated = buckets.map((own, at) => {
    count += own
    const le = at < BUCKETS.length ? String(BUCKETS[at]) : '+Inf'
    return { suffix: '_bucket' as const, labels: { ...labels, le }, value: count }
  })
  return [...cumulated, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: count }]
}
