export { configDigest } from './config/digest.ts'
export { type Config, folderConfigs, type LoadOptions, loadConfig, repositoryRoot } from './config/load.ts'
