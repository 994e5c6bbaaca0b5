import { describe, test } from 'vitest'
import { Ground } from './ground.ts'
import { TRIES } from './tries.ts'

describe.each(Object.entries(TRIES))('%s', (_, tries) => {
  test.each(tries)('does not let through: $name', async ({ attack }) => {
    const ground = new Ground({ here: true })
    try {
      await attack(ground)
    } finally {
      ground.remove()
    }
  })
})
