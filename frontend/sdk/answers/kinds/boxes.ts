/** Boxes around things: rows of x, y, width, height as fractions of the picture, score, index of the label; best first. */
import type { BoxAnnotation } from '../../api'
import { ModelError } from '../../errors'
import { type AnswerKind, floorOf } from '../kind'
import { goldenRows, placeOf, ROW_LENGTH, rowsApart, rowsOf, scoreOf } from '../rows'

export const KIND: AnswerKind = {
  defaultTop: 100,

  check({ axes }) {
    if (axes.length !== 2 || axes[1] !== ROW_LENGTH)
      throw new ModelError('artefact_unreadable', `the model answers in shape ${axes.join()}, not with rows of ${ROW_LENGTH}`)
  },

  encode(answer, labels, size, options) {
    const annotations: BoxAnnotation[] = []
    for (const row of rowsOf(answer)) {
      const label = labels[row[5] ?? -1] ?? ''
      if ((row[4] ?? 0) < floorOf(label, options)) continue
      annotations.push({ kind: 'box', label, ...placeOf(row, size), score: scoreOf(row) })
      if (annotations.length === options.top) break
    }
    return annotations
  },

  difference(expected, names, answer, labels) {
    return rowsApart(goldenRows(expected.detections ?? [], names, labels), rowsOf(answer), answer.axes[0] ?? 0)
  },
}
