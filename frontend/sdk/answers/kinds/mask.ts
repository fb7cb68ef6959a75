/**
 * A label for each pixel of a picture, or none: two planes, the index of the label (-1: none) and how sure the model is.
 *
 * The planes have a size of the graph's own. A pixel of the picture has the label of the plane's pixel in which its centre lies.
 */
import type { MaskAnnotation } from '../../api'
import { ModelError } from '../../errors'
import { type Answer, type AnswerKind, floorOf, halfToEven, rounded, SCORE_DIGITS, type Size } from '../kind'
import { runsPack, runsUnpack } from '../run-lengths'

const NUM_PLANES = 2
const NONE = -1
/** Up to here two labels of a pixel may be even, and which of them a graph says is a matter of rounding. */
const EVEN = 0.501
/** Such pixels that may have another label than in a golden sample, of all. */
const EVEN_SHARE = 0.001

interface Planes extends Size {
  labels: Int32Array
  sure: Float32Array
}

function planesOf({ data, axes }: Answer): Planes {
  const [, height = 0, width = 0] = axes
  const size = height * width
  return { height, width, labels: Int32Array.from(data.subarray(0, size), halfToEven), sure: data.subarray(size, 2 * size) }
}

/** For each pixel of a side of the picture, the planes' pixel in which its centre lies. */
const lookedUp = (there: number, here: number) =>
  Int32Array.from({ length: there }, (_, place) => Math.floor(((2 * place + 1) * here) / (2 * there)))

/** Labels that hold a pixel, by how many, and how sure the model is of them on average. */
function ranked({ labels, sure }: Planes): [index: number, score: number][] {
  const sums = new Map<number, [count: number, sum: number]>()
  labels.forEach((index, place) => {
    if (index === NONE) return
    const [count, sum] = sums.get(index) ?? [0, 0]
    sums.set(index, [count + 1, sum + (sure[place] ?? 0)])
  })
  return [...sums]
    .sort(([a, [many]], [b, [more]]) => more - many || a - b)
    .map(([index, [count, sum]]) => [index, rounded(Math.min(1, Math.max(0, sum / count)), SCORE_DIGITS)])
}

/** Where each label starts and ends, counted down the columns of the picture. */
function edgesOf({ labels, width: wide, height: high }: Planes, { width, height }: Size): Map<number, number[]> {
  const rows = lookedUp(height, high)
  const edges = new Map<number, number[]>()
  let column = -1
  let cuts: [index: number, from: number, to: number][] = []
  lookedUp(width, wide).forEach((shown, x) => {
    if (shown !== column) {
      column = shown
      cuts = []
      rows.forEach((row, y) => {
        const index = labels[row * wide + shown] ?? NONE
        const last = cuts.at(-1)
        if (last?.[0] === index) last[2] = y + 1
        else cuts.push([index, y, y + 1])
      })
    }
    for (const [index, from, to] of cuts) {
      if (index === NONE) continue
      const own = edges.get(index) ?? []
      if (!own.length) edges.set(index, own)
      // Else it goes on at the top of the next column.
      if (own.at(-1) === x * height + from) own[own.length - 1] = x * height + to
      else own.push(x * height + from, x * height + to)
    }
  })
  return edges
}

function countsOf(edges: readonly number[], numPixels: number): string {
  const runs = edges.map((edge, place) => edge - (place ? (edges[place - 1] ?? 0) : 0))
  const rest = numPixels - (edges.at(-1) ?? 0)
  return runsPack(rest ? [...runs, rest] : runs)
}

export const KIND: AnswerKind = {
  defaultTop: 100,

  check({ axes }) {
    if (axes.length !== NUM_PLANES + 1 || axes[0] !== NUM_PLANES || axes.includes(0))
      throw new ModelError('artefact_unreadable', `the model answers in shape ${axes.join()}, not with ${NUM_PLANES} planes`)
  },

  encode(answer, labels, size, options) {
    if (!answer.data.every(Number.isFinite)) throw new ModelError('answer_invalid', 'the model answers with a pixel that is no number')
    const planes = planesOf(answer)
    const floors = labels.map((label) => floorOf(label, options))
    planes.labels.forEach((index, place) => {
      if (index !== NONE && (planes.sure[place] ?? 0) < (floors[index] ?? 0)) planes.labels[place] = NONE
    })
    const edges = edgesOf(planes, size)
    const annotations: MaskAnnotation[] = []
    for (const [index, score] of ranked(planes).slice(0, options.top)) {
      const own = edges.get(index)
      if (own)
        annotations.push({ kind: 'mask', label: labels[index] ?? '', ...size, counts: countsOf(own, size.width * size.height), score })
    }
    return annotations
  },

  difference(expected, names, answer, labels) {
    const { labels: given, sure, width, height } = planesOf(answer)
    const golden = expected.mask
    if (golden?.height !== height || golden.width !== width)
      throw new ModelError('artefact_unreadable', `the planes have ${width} x ${height} pixels, the golden sample other sides`)
    const expectedLabels = new Int32Array(width * height).fill(NONE)
    const apart: number[] = []
    for (const [place, counts, score] of golden.segments) {
      const index = labels.indexOf(names[place] ?? '')
      let [start, sum, count] = [0, 0, 0]
      runsUnpack(counts).forEach((run, number) => {
        for (let at = start; number % 2 && at < start + run; at++) {
          const pixel = (at % height) * width + Math.floor(at / height)
          expectedLabels[pixel] = index
          sum += sure[pixel] ?? NaN
          count++
        }
        start += run
      })
      apart.push(Math.abs(sum / count - score))
    }
    let [clear, close] = [0, 0]
    expectedLabels.forEach((index, pixel) => {
      if (index === given[pixel]) return
      if ((sure[pixel] ?? 0) <= EVEN) close++
      else clear++
    })
    const share = clear / expectedLabels.length + Math.max(0, close / expectedLabels.length - EVEN_SHARE)
    const worst = Math.max(0, share, ...apart)
    return Number.isNaN(worst) ? 1 : worst
  },
}
