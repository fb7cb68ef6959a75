import { createReadStream, createWriteStream, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

const SMALLEST_WORTH_PACKING = 1024

/** Writes a .gz beside each text file below a folder, so that the server compresses nothing at run time. */
export async function gzip(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  for (const file of files.filter((name) => /\.(js|css|html|svg|json|wasm)$/.test(name))) {
    if (statSync(file).size < SMALLEST_WORTH_PACKING) continue
    await pipeline(createReadStream(file), createGzip({ level: 9 }), createWriteStream(`${file}.gz`))
  }
}
