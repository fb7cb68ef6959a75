/** Sends the files of a batch prediction. They become no items of the project, and the server forgets what no run takes. */
import { api, data } from '../../../lib/api/client'
import { send } from '../../../lib/api/raw'
import type { Upload } from '../../../lib/api/types'
import type { IncomingFile } from '../../../lib/upload/incoming'
import { sendParts } from '../../../lib/upload/send-parts'
import { Traffic } from '../../../lib/upload/traffic'

export interface Sent {
  num_files: number
  bytes: number
}

/** Ends when the server has all of them; gives the ids of their uploads, in the order of the files. */
export async function sendFiles(
  dataset: string,
  files: readonly IncomingFile[],
  signal: AbortSignal,
  onSent: (sent: Sent) => void,
): Promise<string[]> {
  const traffic = new Traffic()
  const uploads = new Array<string>(files.length)
  const sent: Sent = { num_files: 0, bytes: 0 }
  const report = (bytes: number, num_files: number) => {
    sent.bytes += bytes
    sent.num_files += num_files
    onSent({ ...sent })
  }
  const path = { dataset }
  await traffic.several(signal, files.entries(), async ([place, { file, path: relative_path }], both) => {
    const body = { name: file.name, size_bytes: file.size, kind: 'predict' as const, relative_path }
    let upload = await traffic.patiently(both, () =>
      traffic.slot(both, () => data(api.POST('/api/datasets/{dataset}/uploads', { params: { path }, body }))),
    )
    uploads[place] = upload.id
    let known_bytes = 0
    await traffic.patiently(both, async () => {
      // A part that was lost on its way may have arrived all the same.
      if (known_bytes > 0)
        upload = await data(
          api.GET('/api/datasets/{dataset}/uploads/{upload}', { params: { path: { dataset, upload: upload.id } }, signal: both }),
        )
      await sendParts(traffic, both, file, upload, sendPart(dataset), (bytes) => {
        known_bytes += bytes
        report(bytes, 0)
      })
    })
    report(0, 1)
  })
  return uploads
}

const sendPart = (dataset: string) => (upload: string, offset: number, body: Blob, signal: AbortSignal) =>
  send<Upload>(`/api/datasets/${dataset}/uploads/${upload}/parts?offset=${offset}`, { method: 'PUT', body, signal })
