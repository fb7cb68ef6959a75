/// <reference types="vitest/config" />
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
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

const LOGIC = ['src/**/*.test.ts', 'sdk/**/*.test.ts']
const PAGE = ['src/test-setup.ts']
const tests = readdirSync(resolve(import.meta.dirname, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.test\.tsx?$/.test(name))
  .map((name) => `src/${name.replaceAll('\\', '/')}`)
const saying = (words: RegExp) => tests.filter((name) => words.test(readFileSync(resolve(import.meta.dirname, name), 'utf8')))
/** Logic that needs a page around it says so in its first line. */
const paged = saying(/^\/\/ @vitest-environment jsdom/)
/** What replaces a module, or asks what is there before all words are, shares no modules. */
const alone = saying(/vi\.mock\(|startFirstWords\(/)

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
    // Test files share threads, and with them what they import: to load that anew takes longer than most of their tests.
    pool: 'threads',
    // Where there are two cores, both are used.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    isolate: false,
    projects: [
      {
        extends: true,
        test: { name: 'logic', include: LOGIC, exclude: [...paged, ...alone], environment: 'node', setupFiles: ['fake-indexeddb/auto'] },
      },
      {
        extends: true,
        test: {
          name: 'pages',
          include: ['src/**/*.test.tsx', ...paged],
          exclude: alone,
          environment: 'jsdom',
          setupFiles: [...PAGE, 'src/test-words.ts'],
        },
      },
      { extends: true, test: { name: 'pages alone', include: alone, isolate: true, environment: 'jsdom', setupFiles: PAGE } },
    ],
  },
})
