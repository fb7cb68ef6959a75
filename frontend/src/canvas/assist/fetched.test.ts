// @vitest-environment jsdom
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { fetched } from './fetched'

let server: Server
let address = ''

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/gone') return void response.writeHead(404).end()
    response.setHeader('Access-Control-Allow-Origin', '*')
    response.write(new Uint8Array(1000))
    setTimeout(() => response.end(new Uint8Array(500)), request.url === '/slow' ? 100 : 0)
  }).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

it('brings all files and reports how much has come', async () => {
  const fractions: number[] = []
  const files = await fetched([`${address}/one`, `${address}/two`], 3000, (fraction) => fractions.push(fraction))
  expect(files.map((file) => file.byteLength)).toEqual([1500, 1500])
  expect(fractions.at(-1)).toBe(1)
  expect(fractions).toEqual(fractions.toSorted((one, other) => one - other))
})

it('shows which file did not come, and reports no progress after that', async () => {
  const fractions: number[] = []
  await expect(fetched([`${address}/slow`, `${address}/gone`], 3000, (fraction) => fractions.push(fraction))).rejects.toThrow('/gone: 404')
  const before = fractions.length
  await new Promise((done) => setTimeout(done, 200))
  expect(fractions).toHaveLength(before)
})
