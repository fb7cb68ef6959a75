/** The package for browsers, on onnxruntime-web. */
import type * as api from '../api'
import { ModelError } from '../errors'
import { fetched, unpacked } from './files'
import { opened } from './remote'

export { ModelError }

/** Written so that bundlers take the file along. */
const RUNTIME = new URL(/* @vite-ignore */ './runtime.bin', import.meta.url)
// Only whoever does not bundle has the model beside this module: not written in the form that bundlers look for.
const OWN = '../model/'

export const load: typeof api.load = async (place = new URL(OWN, import.meta.url), { runtimeUrl = RUNTIME, ...options } = {}) => {
  const address = new URL(place, globalThis.location?.href)
  if (!address.pathname.endsWith('/')) address.pathname += '/'
  const runtime = await unpacked(await fetched(new URL(runtimeUrl, globalThis.location?.href).href))
  return opened({ runtime, files: address.href, options })
}
