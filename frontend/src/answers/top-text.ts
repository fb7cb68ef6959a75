import { formatFraction } from '../charts/format/format'
import type { LoggedCall } from './kind'

/** The best label of each item of a call, with how sure the model was. */
export function topText({ top }: LoggedCall): string {
  return top.map((each) => (each ? `${each.label} ${formatFraction(each.score)}` : '–')).join(', ')
}
