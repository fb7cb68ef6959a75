/** Rows of the table by label. */

import type { BarRow } from '../../../charts/bar-list/sort-rows'

interface ClassLike {
  label: string
  precision: number
  recall: number
  f1: number
  support: number
  average_precision?: number | null
  intersection_over_union?: number | null
}

/** Without items of a label its recall and F1 are unknown, not zero. */
export function classRows(classes: readonly ClassLike[]): BarRow[] {
  return classes.map(({ label, precision, recall, f1, support, average_precision, intersection_over_union }) => ({
    key: label,
    title: label,
    values: {
      precision,
      support,
      ...(average_precision == null ? {} : { average_precision }),
      ...(intersection_over_union == null ? {} : { intersection_over_union: support ? intersection_over_union : null }),
      recall: support ? recall : null,
      f1: support ? f1 : null,
    },
  }))
}
