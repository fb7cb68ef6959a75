import { Badge, Text, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'

import { annotationText, useAnswerKind } from '../../../answers'
import { useNothingWord } from '../../../answers/nothing-word'
import { ItemStage } from '../../../items/item-stage'
import { ApiError } from '../../../lib/api/errors'
import type { Item } from '../../../lib/api/types'
import { itemQuery } from '../../../lib/item-query'
import { ErrorState } from '../../../ui/error-state'
import type { JudgedItem } from '../api/types'
import { isSameAnnotations } from '../model/same-annotations'
import { type EvidenceSwitch, ExplanationPanel, useExplanationView } from './explanation'
import classes from './item-viewer.module.css'

/** The prediction of one model. */
export interface JudgedSide {
  item: JudgedItem
  artefact: string
  thresholds: Record<string, number>
  /** Of the model, where there are several. */
  title?: string
}

interface JudgedStageProps {
  /** The first one's answer lies over the item, and is explained. */
  sides: readonly [JudgedSide, ...JudgedSide[]]
  evidence: EvidenceSwitch
}

/** One item as large as possible, beside its truth and the prediction of each model. */
export function JudgedStage({ sides, evidence }: JudgedStageProps) {
  const { t } = useTranslation('report')
  const { JudgedFacts, JudgedOverlay } = useAnswerKind()
  const [first] = sides
  const { item, thresholds } = first
  const explanation = useExplanationView(first, evidence.isShown)
  const now = useQuery(itemQuery(item.item))
  const isGone = now.error instanceof ApiError && now.error.status === 404
  return (
    <div className={classes.judged}>
      {isGone ? (
        <Text c="dimmed">{t('viewer.gone')}</Text>
      ) : now.isLoadingError ? (
        <ErrorState error={now.error} onRetry={() => void now.refetch()} />
      ) : (
        <ItemStage
          item={now.data ?? null}
          overlay={JudgedOverlay && <JudgedOverlay item={item} thresholds={thresholds} />}
          evidence={explanation.evidence}
        />
      )}
      <div className={classes.facts}>
        {now.data && <ChangedSince item={now.data} judged={item} />}
        {sides.map((side, place) => (
          <Fragment key={side.title ?? ''}>
            {side.title !== undefined && <Text fw={600}>{side.title}</Text>}
            <JudgedFacts item={side.item} thresholds={side.thresholds} hasTruth={place === 0} />
            {place === 0 && now.data && <ExplanationPanel view={explanation} {...evidence} />}
          </Fragment>
        ))}
      </div>
    </div>
  )
}

/** Whether the item is there still, and its label as it was judged by. */
function ChangedSince({ item, judged }: { item: Item; judged: JudgedItem }) {
  const { t } = useTranslation('report')
  const nothing = useNothingWord()
  if (item.deleted_at !== null) return <Text size="sm">{t('viewer.deleted')}</Text>
  if (isSameAnnotations(item.annotations, judged.truth)) return null
  const words = item.annotations.map(annotationText).filter((text) => text !== null)
  const current = item.state === 'unlabelled' ? t('viewer.unlabelled') : words.join(', ') || nothing
  return (
    <Tooltip label={t('viewer.changed_help')} multiline maw={280}>
      <Badge size="lg" color="teal" variant="light" tt="none" maw="100%">
        {t('viewer.changed', { label: current })}
      </Badge>
    </Tooltip>
  )
}
