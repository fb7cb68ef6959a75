/** The package for Node.js, on onnxruntime-node. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import * as ort from 'onnxruntime-node'

import type * as api from '../api'
import { coded, ModelError } from '../errors'
import { modelOpen } from '../model'
import { nodePicture } from '../pictures/node'
import type * as own from './api'
import { InstalledModels } from './updates'

export { ModelError }

const OWN = new URL('../', import.meta.url)

function environment(): string {
  // The build replays with onnxruntime-web in its place, which names itself.
  const { versions } = ort.env
  const runtime = versions.node ? `onnxruntime-node ${versions.node}` : `onnxruntime-web ${versions.web}`
  return `node ${process.versions.node}, ${runtime}`
}

export const load: typeof api.load = async (place, options = {}) => {
  place ??= (await installed().current()).folder
  const folder = pathOf(place)
  const read = async (name: string): Promise<Uint8Array> => {
    try {
      return await readFile(join(folder, name))
    } catch (error) {
      throw coded(error, 'artefact_unreadable', `${name} cannot be read: `)
    }
  }
  const providers = ort.env.versions.node ? ['cpu'] : ['wasm']
  return modelOpen(read, { ort, providers, environment: environment(), picture: nodePicture }, options)
}

async function selftest(folder: string): Promise<api.SelftestReport> {
  const model = await load(folder)
  try {
    return await model.selftest()
  } finally {
    await model.close()
  }
}

const installed = () => new InstalledModels(fileURLToPath(OWN), selftest)
const pathOf = (place: string | URL) => (place instanceof URL || place.startsWith('file:') ? fileURLToPath(place) : place)

export const update: typeof own.update = (file, { allowOtherLabels = false } = {}) => installed().install(pathOf(file), allowOtherLabels)
export const rollBack: typeof own.rollBack = () => installed().rollBack()
