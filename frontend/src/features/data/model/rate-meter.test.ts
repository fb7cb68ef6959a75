import { expect, it } from 'vitest'

import { RateMeter } from './rate-meter'

it('reports bytes a second over the last seconds and forgets the rest', () => {
  let now = 0
  const meter = new RateMeter(() => now)
  expect(meter.rate()).toBe(0)
  for (now = 0; now <= 4000; now += 1000) meter.add(1000)
  now = 4000
  expect(meter.rate()).toBe(1250)
  now = 30_000
  expect(meter.rate()).toBe(0)
})

it('does not count a pause as slowness', () => {
  let now = 0
  const meter = new RateMeter(() => now)
  meter.add(8000)
  meter.reset()
  now = 60_000
  meter.add(1000)
  now = 61_000
  expect(meter.rate()).toBe(1000)
})
