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

/** Of fewer items, or boxes, of a label its figures are chance, and are not shown. The same rule as in the documents. */
export const FEWEST_OF_LABEL = 5

/** Whether items of a label are there, but too few for figures. Pixels of a label are many, however few pictures show it. */
export function hasTooFew({ support, intersection_over_union }: Pick<ClassLike, 'support' | 'intersection_over_union'>): boolean {
  return intersection_over_union == null && support > 0 && support < FEWEST_OF_LABEL
}

/** Without items of a label its recall and F1 are unknown, not zero; of very few of them all figures are chance. */
export function classRows(classes: readonly ClassLike[]): BarRow[] {
  return classes.map((one) => {
    const { label, precision, recall, f1, support, average_precision, intersection_over_union } = one
    const isChance = hasTooFew(one)
    return {
      key: label,
      title: label,
      values: {
        precision: isChance ? null : precision,
        support,
        ...(average_precision == null ? {} : { average_precision: isChance ? null : average_precision }),
        ...(intersection_over_union == null ? {} : { intersection_over_union: support ? intersection_over_union : null }),
        recall: support && !isChance ? recall : null,
        f1: support && !isChance ? f1 : null,
      },
    }
  })
}
