/** Builds what `web_sdk` and `node_sdk` ship into `exporters/_javascript/built`, so that an export needs neither npm nor Node.js. */
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'

import { build } from 'vite'

const SDK = import.meta.dirname
const MODULES = resolve(SDK, '../node_modules')
const BUILT = resolve(SDK, '../../exporters/_javascript/built')
const MAKING = `${BUILT}.making`
const NOTICE = {
  web: ['onnxruntime-web', '@huggingface/tokenizers'],
  node: ['@huggingface/tokenizers', '@jsquash/jpeg', '@jsquash/webp', 'fflate', 'pngjs'],
}

/** The runtime's file is fetched by the package: no build is to draw its 14 MB into a script. */
const withoutRuntime = () => ({
  name: 'without-runtime',
  enforce: 'pre',
  transform: (code, id) =>
    id.includes('onnxruntime-web') ? code.replace(/new URL\("[^"]+\.wasm",\s*import\.meta\.url\)/g, 'new URL(self.location.href)') : null,
})

/** One bundle of one file. */
async function bundle(entry, kind, file, format, external) {
  const isForNode = kind !== 'web'
  await build({
    configFile: false,
    root: SDK,
    logLevel: 'warn',
    publicDir: false,
    plugins: [withoutRuntime()],
    ...(isForNode ? { ssr: { noExternal: true, external } } : {}),
    worker: { format: 'iife', plugins: () => [withoutRuntime()] },
    build: {
      target: 'es2022',
      outDir: `${MAKING}/${kind}`,
      emptyOutDir: false,
      minify: true,
      ssr: isForNode,
      lib: { entry: resolve(SDK, entry), formats: [format], name: 'modelSdkParts', fileName: () => file },
      rolldownOptions: { external, output: { codeSplitting: false } },
    },
  })
}

const described = async (name) => JSON.parse(await readFile(resolve(MODULES, name, 'package.json'), 'utf8'))
const version = async (name) => (await described(name)).version

/** The runtime that the package for Node.js was tested with. */
const tested = async () => JSON.parse(await readFile(resolve(SDK, 'onnxruntime-node/package.json'), 'utf8'))

/** What is bundled, for the list of a product's parts. */
const partsOf = (names) =>
  Promise.all(names.map(async (name) => described(name).then(({ version, license }) => ({ name, version, spdx: license }))))

async function notice(names) {
  const parts = await Promise.all(
    names.map(async (name) => {
      const { version, license } = await described(name)
      const file = await readFile(resolve(MODULES, name, 'LICENSE'), 'utf8').catch(() =>
        readFile(resolve(SDK, 'licences', `${name}.txt`), 'utf8'),
      )
      return `${name} ${version} (${license})\n\n${file.trim()}\n`
    }),
  )
  return parts.join(`\n${'-'.repeat(80)}\n\n`)
}

await rm(MAKING, { recursive: true, force: true })
await mkdir(`${MAKING}/web`, { recursive: true })
await mkdir(`${MAKING}/node`, { recursive: true })
await mkdir(`${MAKING}/check`, { recursive: true })
await bundle('web/index.ts', 'web', 'index.js', 'es', [])
// Ours is told to leave the runtime's address alone; bundlers of pages that use the package are to find it.
const page = await readFile(`${MAKING}/web/index.js`, 'utf8')
await writeFile(`${MAKING}/web/index.js`, page.replaceAll(/\/\* @vite-ignore \*\/\s*/g, ''))
await bundle('web/page.ts', 'web', 'page.js', 'iife', [])
await bundle('node/index.ts', 'node', 'index.js', 'es', ['onnxruntime-node'])
await bundle('node/cli.ts', 'node', 'cli.js', 'es', ['./index.js'])
await bundle('check/index.ts', 'check', 'index.js', 'es', [])
await bundle('check/cells.ts', 'check', 'cells.js', 'es', [])
const runtime = await readFile(resolve(MODULES, 'onnxruntime-web/dist/ort-wasm-simd-threaded.wasm'))
const packed = gzipSync(runtime, { level: 9 })
await writeFile(`${MAKING}/web/runtime.bin`, packed)
await writeFile(
  `${MAKING}/web/runtime.js`,
  `globalThis.modelPacked = { ...globalThis.modelPacked, runtime: "${packed.toString('base64')}" };\n`,
)
await cp(resolve(MODULES, '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'), `${MAKING}/node/jpeg.wasm`)
await cp(resolve(MODULES, '@jsquash/webp/codec/dec/webp_dec.wasm'), `${MAKING}/node/webp.wasm`)
for (const [kind, names] of Object.entries(NOTICE)) {
  const own = kind === 'node' ? `\n${await readFile(resolve(SDK, 'node/api.d.ts'), 'utf8')}` : ''
  await writeFile(`${MAKING}/${kind}/index.d.ts`, (await readFile(resolve(SDK, 'api.d.ts'), 'utf8')) + own)
  await writeFile(`${MAKING}/${kind}/NOTICE.txt`, await notice(names))
  await writeFile(`${MAKING}/${kind}.json`, `${JSON.stringify(await partsOf(names), null, 1)}\n`)
}
await cp(resolve(MODULES, 'onnxruntime-web/dist/ort-wasm-simd-threaded.mjs'), `${MAKING}/check/ort-wasm-simd-threaded.mjs`)
await writeFile(
  `${MAKING}/built.json`,
  `${JSON.stringify({ onnxruntime_node: (await tested()).dependencies['onnxruntime-node'], onnxruntime_web: await version('onnxruntime-web') })}\n`,
)
await rm(BUILT, { recursive: true, force: true })
await rename(MAKING, BUILT)
