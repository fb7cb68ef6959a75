/// <reference lib="webworker" />
/** Divides pictures into superpixels beside the page. */
import type { FromWorker, ToWorker } from './messages'
import { superpixelsOf } from './slic'

self.onmessage = ({ data: { number, pixels, spacing } }: MessageEvent<ToWorker>) => {
  const { labels, count } = superpixelsOf(pixels, spacing)
  self.postMessage({ number, labels, count } satisfies FromWorker, [labels.buffer])
}
