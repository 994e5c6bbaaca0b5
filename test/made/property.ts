import fc from 'fast-check'

// A test that runs out of time says nothing of the counterexample that was being shrunk. So a property ends below the time that tests have
// (vitest.config.ts): with the counterexample as far as it was shrunk, or, where there is none, with how many cases there was time for. One
// that is given longer says so itself.
fc.configureGlobal({ interruptAfterTimeLimit: 100_000, markInterruptAsFailure: true })

export { default } from 'fast-check'
