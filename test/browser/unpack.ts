import chromium from '@sparticuz/chromium'

/** Unpacks the browser once a run: two files that do it at the same time start a program that the other one is still writing. */
export default async function setup(): Promise<void> {
  await chromium.executablePath()
}
