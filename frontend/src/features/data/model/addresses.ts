/** Counts what a pasted list of addresses holds, before it is sent. */

export interface Addresses {
  num_urls: number
  num_labelled: number
  /** Lines that are no address; the first few, to show. */
  strange: string[]
}

const URL_LINE = /^"?https?:\/\/[^\s/]+\/?/i
const HEAD = /^"?(url|image_url|link)\b/i
const LABEL = /[\t;,]\s*"?[^/"]+"?\s*$/

export function addressesOf(text: string): Addresses {
  const found: Addresses = { num_urls: 0, num_labelled: 0, strange: [] }
  for (const line of text.split('\n')) {
    const trimmed = line.trim()
    if (!trimmed || HEAD.test(trimmed)) continue
    if (!URL_LINE.test(trimmed)) {
      if (found.strange.length < 3) found.strange.push(trimmed)
      continue
    }
    found.num_urls += 1
    if (LABEL.test(trimmed)) found.num_labelled += 1
  }
  return found
}
