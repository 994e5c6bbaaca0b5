export { parseVcpkg as parse } from './conan.ts'
