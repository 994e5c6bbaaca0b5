export { parseDeps as parse } from './nuget-lock.ts'
