// Required by a process that a worker of the fleet starts: ends it when the worker has gone, however the worker ended.

import { isMainThread } from 'node:worker_threads'

if (isMainThread && process.channel) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  // The channel alone keeps no process alive.
  process.channel.unref()
}
