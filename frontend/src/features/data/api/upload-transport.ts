/** The requests of the upload queue. */
import { api, data } from '../../../lib/api/client'
import { send } from '../../../lib/api/raw'
import type { Batch, Upload } from '../../../lib/api/types'
import type { Transport } from '../model/transfer'

export function uploadTransport(dataset: string): Transport {
  const base = `/api/datasets/${dataset}/uploads`
  return {
    async open(name, size_bytes) {
      const broken = (await receiving(dataset)).find((one) => one.kind === 'batch' && one.name === name)
      if (broken) return broken.id
      const body = { name, size_bytes, kind: 'batch' as const, relative_path: '' }
      return (await data(api.POST('/api/datasets/{dataset}/uploads', { params: { path: { dataset } }, body }))).id
    },
    async known(files, labels, signal) {
      const body = { files, labels: labels === 'folder' ? ('folder' as const) : ('none' as const) }
      return (await data(api.POST('/api/datasets/{dataset}/uploads/known', { params: { path: { dataset } }, body, signal }))).known
    },
    async batch(upload, files, first, labels, signal) {
      const body = new FormData()
      for (const { file } of files) body.append('files', file)
      body.append('paths', JSON.stringify(files.map(({ path }) => path)))
      const query = `labels=${labels === 'folder' ? 'folder' : 'none'}&upload=${upload}&first=${first}`
      return (await send<Batch>(`${base}/batch?${query}`, { method: 'POST', body, signal })).items
    },
    async start({ file, path }, kind, labels) {
      const broken = (await receiving(dataset)).find((one) => one.relative_path === path && one.size_bytes === file.size)
      if (broken) return broken
      const label = kind === 'file' && labels === 'folder' && path.includes('/') ? path.split('/')[0] : undefined
      const body = { name: file.name, size_bytes: file.size, kind, relative_path: path, label }
      return data(api.POST('/api/datasets/{dataset}/uploads', { params: { path: { dataset } }, body }))
    },
    part: (upload, offset, body, signal) => send<Upload>(`${base}/${upload}/parts?offset=${offset}`, { method: 'PUT', body, signal }),
    async finish(upload, labels, table) {
      const body = { labels, ...(table && { table }) }
      await data(api.POST('/api/datasets/{dataset}/uploads/{upload}/finish', { params: { path: { dataset, upload } }, body }))
    },
    async drop(upload) {
      await api.DELETE('/api/datasets/{dataset}/uploads/{upload}', { params: { path: { dataset, upload } } })
    },
  }
}

/** Uploads that were broken off, by an earlier attempt or an earlier visit. */
async function receiving(dataset: string): Promise<Upload[]> {
  const recent = await data(api.GET('/api/datasets/{dataset}/uploads', { params: { path: { dataset }, query: { limit: 100 } } }))
  return recent.items.filter((one) => one.state === 'receiving')
}
