// A file of its own in the build, loaded where the fleet's queue is asked.
export { Queue, UnrecoverableError, WaitingChildrenError, WaitingError, Worker } from 'bullmq'
export { Redis } from 'ioredis'
