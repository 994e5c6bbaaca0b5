/** The build of recheck that is JavaScript alone; the package's main one starts other programs. */
declare module 'recheck/lib/browser.js' {
  const recheck: Pick<typeof import('recheck'), 'check' | 'checkSync'>
  export default recheck
}
