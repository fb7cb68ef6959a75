import { expect, test } from 'vitest'

import { deviceOf } from './device'

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36', 'Chrome · Linux'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0', 'Edge · Windows'],
  ['Mozilla/5.0 (Linux; Android 14) Gecko/132.0 Firefox/132.0', 'Firefox · Android'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Mobile Safari/604.1', 'Safari · iOS'],
  ['python-httpx/0.28.1', 'python-httpx/0.28.1'],
  ['', ''],
])('%s', (agent, expected) => {
  expect(deviceOf(agent)).toBe(expected)
})
