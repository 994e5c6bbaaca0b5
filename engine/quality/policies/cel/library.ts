// What is used of the library, in one file: the build makes a file of its own of it, which only a policy with an expression loads.
export { celEnv, celList, celMap, isCelError, parse, plan } from '@bufbuild/cel'
export { strings } from '@bufbuild/cel/ext'
