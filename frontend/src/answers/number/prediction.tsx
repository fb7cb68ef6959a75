import { formatAmount } from '../../charts/format/format'
import type { PredictionProps } from '../kind'
import { valueOf } from './error'
import classes from './prediction.module.css'

/** The number, large. */
export function Prediction({ annotations }: PredictionProps) {
  return <div className={classes.number}>{formatAmount(valueOf(annotations))}</div>
}
