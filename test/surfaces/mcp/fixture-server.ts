import { serveStdio } from '../../../mcp/stdio.ts'
import { ROWS, schemas } from '../rows.ts'

// A program that serves the test's operations on its standard streams, as `svc mcp-server` serves its own.
const controller = new AbortController()
process.on('SIGTERM', () => controller.abort())
await serveStdio(
  { surface: 'cli', cwd: process.cwd(), env: process.env, signal: controller.signal, emit() {}, notice() {} },
  [
    ...ROWS,
    {
      ...ROWS[0]!,
      id: 'demo.show',
      mcp: 'chatty_thing',
      load: async () => {
        console.log('a library writes to standard output')
        process.stdout.write('so does another\n')
        return ROWS[0]!.load()
      },
    },
  ],
  schemas,
)
process.exit(0)
