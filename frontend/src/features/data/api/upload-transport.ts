/** The requests of the upload queue. */
import { api, data } from '../../../lib/api/client'
import { send } from '../../../lib/api/raw'
import type { Batch, Upload } from '../../../lib/api/types'
import type { Transport } from '../model/upload-queue'

export function uploadTransport(dataset: string): Transport {
  const base = `/api/datasets/${dataset}/uploads`
  return {
    async batch(files, labels, signal) {
      const body = new FormData()
      for (const { file } of files) body.append('files', file)
      body.append('paths', JSON.stringify(files.map(({ path }) => path)))
      const answer = await send<Batch>(`${base}/batch?labels=${labels === 'folder' ? 'folder' : 'none'}`, { method: 'POST', body, signal })
      return answer.items
    },
    async start({ file, path }, kind, labels) {
      const open = await brokenOff(dataset, path, file.size)
      if (open) return open
      const label = kind === 'file' && labels === 'folder' && path.includes('/') ? path.split('/')[0] : undefined
      const body = { name: file.name, size_bytes: file.size, kind, relative_path: path, label }
      return data(api.POST('/api/datasets/{dataset}/uploads', { params: { path: { dataset } }, body }))
    },
    part: (upload, offset, body, signal) => send<Upload>(`${base}/${upload}/parts?offset=${offset}`, { method: 'PUT', body, signal }),
    async finish(upload, labels) {
      await api.POST('/api/datasets/{dataset}/uploads/{upload}/finish', { params: { path: { dataset, upload } }, body: { labels } })
    },
    async drop(upload) {
      await api.DELETE('/api/datasets/{dataset}/uploads/{upload}', { params: { path: { dataset, upload } } })
    },
  }
}

/** The upload of the same file that was broken off, by an earlier attempt or an earlier visit. */
async function brokenOff(dataset: string, path: string, size_bytes: number): Promise<Upload | undefined> {
  const recent = await data(api.GET('/api/datasets/{dataset}/uploads', { params: { path: { dataset }, query: { limit: 100 } } }))
  return recent.items.find((one) => one.state === 'receiving' && one.relative_path === path && one.size_bytes === size_bytes)
}
