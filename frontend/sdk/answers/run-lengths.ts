/** COCO's compressed run lengths of masks: columns first, alternating background and foreground (`maskApi.c`). */
import { ModelError } from '../errors'

export function runsPack(runs: readonly number[]): string {
  let text = ''
  for (let place = 0; place < runs.length; place++) {
    // From the third on, what differs from the last of its colour.
    let value = (runs[place] ?? 0) - (place > 2 ? (runs[place - 2] ?? 0) : 0)
    for (let isOpen = true; isOpen;) {
      const low = value & 31
      value >>= 5
      isOpen = low & 16 ? value !== -1 : value !== 0
      text += String.fromCharCode((isOpen ? low | 32 : low) + 48)
    }
  }
  return text
}

export function runsUnpack(counts: string): number[] {
  const runs: number[] = []
  for (let at = 0; at < counts.length;) {
    let value = 0
    for (let shift = 0, isOpen = true; isOpen; shift += 5) {
      const code = counts.charCodeAt(at++) - 48
      if (!(code >= 0 && code < 64) || shift > 30) throw new ModelError('artefact_unreadable', 'a golden mask is broken')
      value |= (code & 31) << shift
      isOpen = (code & 32) !== 0
      if (!isOpen && code & 16 && shift < 27) value |= -1 << (shift + 5)
    }
    runs.push(runs.length > 2 ? value + (runs[runs.length - 2] ?? 0) : value)
  }
  return runs
}
