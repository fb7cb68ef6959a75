/// <reference types="vitest/config" />
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'

import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

import { gzip } from './gzip'

/** Writes a .gz beside each text file, so that the server compresses nothing at run time. */
function precompress(): Plugin {
  let folder = ''
  return {
    name: 'precompress',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir)
    },
    async closeBundle() {
      await gzip(folder)
    },
  }
}

/** What the click-to-mask assist loads, so that its progress is known though the server sends packed files. */
const ASSIST_FILES = [
  'node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm',
  'src/canvas/assist/model/encoder.onnx',
  'src/canvas/assist/model/decoder.onnx',
]
const assistBytes = ASSIST_FILES.reduce((sum, name) => sum + statSync(resolve(import.meta.dirname, name)).size, 0)

const LOGIC = { include: ['src/**/*.test.ts', 'sdk/**/*.test.ts'], environment: 'node', setupFiles: ['fake-indexeddb/auto'] }
const paged = readdirSync(resolve(import.meta.dirname, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `src/${name.replaceAll('\\', '/')}`)
  .filter((name) => readFileSync(resolve(import.meta.dirname, name), 'utf8').startsWith('// @vitest-environment jsdom'))

export default defineConfig({
  plugins: [react(), precompress()],
  define: { __ASSIST_BYTES__: String(assistBytes) },
  build: { target: 'es2022', chunkSizeWarningLimit: 700 },
  // The host stays as the browser said it: the server refuses sign-ins from another site.
  server: { proxy: { '/api': { target: process.env.MODELYARD_PUBLIC_URL ?? 'http://127.0.0.1:8000', changeOrigin: false } } },
  test: {
    css: false,
    // How long a test takes is a matter of the machine, never of what is tested.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      // Logic needs no page around it and shares processes: starting one takes longer than most of its tests.
      { extends: true, test: { ...LOGIC, name: 'logic', exclude: paged, pool: 'threads', isolate: false } },
      // The few that do say so in their first line; what they leave in the page is nobody else's.
      { extends: true, test: { ...LOGIC, name: 'logic of pages', include: paged } },
      { extends: true, test: { name: 'pages', include: ['src/**/*.test.tsx'], environment: 'jsdom', setupFiles: ['src/test-setup.ts'] } },
    ],
  },
})
