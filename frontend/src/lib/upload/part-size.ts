/** How large the parts are that a file is sent in: each a second or two, so that progress moves on any line. */

const FIRST_BYTES = 256 * 1024
const AIM_MS = 1500

/** The first part's, before anything is known of the line. */
export const firstPartBytes = (most: number): number => Math.min(FIRST_BYTES, most)

/** The next one's, from how long the last took; at most what the server wants, which a quick line soon reaches. */
export function nextPartBytes(sent_bytes: number, took_ms: number, most: number): number {
  const aimed = took_ms > 0 ? (sent_bytes * AIM_MS) / took_ms : most
  return Math.round(Math.min(most, Math.max(firstPartBytes(most), aimed)))
}
