import { defineOperation } from '../../door/operation.ts'
import scan from './run.ts'

/** The scan with its progress as server-sent events: started, progress, finding, done, error (decisions "REST"). */
export default defineOperation({
  ...scan,
  id: 'scan.stream',
  summary: 'Scan the repository and stream progress and findings.',
  cli: null,
  rest: 'POST /api/run-scan-stream',
  mcp: null,
  short: {},
  examples: [],
  streams: true,
})
