import { Text, UnstyledButton } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { AnnotatedThumb } from '../../../answers/annotated-thumb'
import { useNothingWord } from '../../../answers/nothing-word'
import { predictionText } from '../../../answers/prediction-text'
import { useItemKind } from '../../../items'
import { useLocalText } from '../../../lib/local-text'
import { useProject } from '../../../lib/project/project'
import type { Result } from '../api/types'
import { mediaOf } from '../model/shown-item'
import { AskMark } from './ask-mark'
import classes from './results.module.css'

interface ResultCardProps {
  result: Result
  isLine: boolean
  onOpen: () => void
}

/** An item as its kind shows it, with the prediction or the reason of its absence. */
export function ResultCard({ result, isLine, onOpen }: ResultCardProps) {
  const { t } = useTranslation('predictions')
  const local = useLocalText()
  const nothing = useNothingWord()
  const { wall } = useItemKind()
  const labels = useProject().data?.label_set.labels ?? []
  const { name, reason, annotations } = result
  const text = reason ? local(reason) : predictionText(annotations) || nothing
  return (
    <li className={classes.card} data-line={isLine || undefined} aria-label={`${name}, ${text}`}>
      {reason ? (
        !isLine && (
          <div className={classes.failed}>
            <IconAlertTriangle size={24} aria-hidden />
          </div>
        )
      ) : wall.form === 'lines' ? (
        <wall.Line item={result} search="" />
      ) : (
        <AnnotatedThumb item={{ ...result, media: mediaOf(result) }} annotations={annotations} labels={labels} alt="" />
      )}
      {reason && isLine && (
        <Text size="sm" truncate>
          {name}
        </Text>
      )}
      <div className={classes.caption}>
        <Text size="xs" fw={600} truncate={!isLine} c={reason ? 'red' : undefined} title={text}>
          <AskMark result={result} />
          {text}
        </Text>
        {!(reason && isLine) && (
          <Text size="xs" c="dimmed" truncate title={name}>
            {name.slice(name.lastIndexOf('/') + 1)}
          </Text>
        )}
      </div>
      {!reason && <UnstyledButton className={classes.open} aria-label={t('results.open', { name })} onClick={onOpen} />}
    </li>
  )
}
