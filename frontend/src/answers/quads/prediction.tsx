import { Text } from '@mantine/core'

import { formatFraction } from '../../charts/format/format'
import type { PredictionProps } from '../kind'
import { textOf } from './lines'
import classes from './quads.module.css'

/** What was read, line by line, with how sure the model was of each. */
export function Prediction({ annotations }: PredictionProps) {
  if (annotations.length === 0) return null
  return (
    <ol className={classes.lines}>
      {annotations.map((line, place) => (
        <li key={place}>
          <span>{textOf(line)}</span>
          <Text span size="xs" c="dimmed">
            {line.score == null ? '' : formatFraction(line.score)}
          </Text>
        </li>
      ))}
    </ol>
  )
}
