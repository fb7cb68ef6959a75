/**
 * COCO's compressed run lengths: the string that `pycocotools.mask` writes and reads.
 *
 * Runs go column by column and begin with a run of nothing. Each count is stored as its difference from the count two before
 * (from the fourth on), in groups of five bits, least first; the sixth bit means that more follow (`rleToString` in COCO's maskApi.c).
 */

/** Lengths of runs in turn: nothing, mask, nothing ... */
export function runsFrom(text: string): number[] {
  const runs: number[] = []
  for (let at = 0; at < text.length;) {
    let [value, shift, isMore] = [0, 0, true]
    while (isMore) {
      const code = text.charCodeAt(at) - 48
      if (!(code >= 0 && code < 64)) throw new RangeError(`not a run-length string: character ${at}`)
      value |= (code & 0x1f) << shift
      isMore = (code & 0x20) !== 0
      at += 1
      shift += 5
      if (!isMore && (code & 0x10) !== 0 && shift < 32) value |= -1 << shift
    }
    if (runs.length > 2) value += runs[runs.length - 2] as number
    runs.push(value)
  }
  return runs
}

export function textFrom(runs: readonly number[]): string {
  const codes: string[] = []
  runs.forEach((run, index) => {
    let value = index > 2 ? run - (runs[index - 2] as number) : run
    for (let isMore = true; isMore;) {
      let code = value & 0x1f
      value >>= 5
      isMore = (code & 0x10) !== 0 ? value !== -1 : value !== 0
      if (isMore) code |= 0x20
      codes.push(String.fromCharCode(code + 48))
    }
  })
  return codes.join('')
}
