import { ActionIcon, Anchor, Group, Modal, Stack, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { useAnswerKind } from '../../../answers'
import { AnnotatedThumb } from '../../../answers/annotated-thumb'
import { AnnotationOverlay } from '../../../answers/annotation-overlay'
import type { AnnotationLike } from '../../../answers/kind'
import { useNothingWord } from '../../../answers/nothing-word'
import { ItemStage } from '../../../items/item-stage'
import { useProject } from '../../../lib/project/project'
import { Beside } from '../../../ui/try-out/beside'
import type { Result } from '../api/types'
import { mediaOf } from '../model/shown-item'
import classes from './results.module.css'

interface ResultViewerProps {
  project: string
  results: readonly Result[]
  /** The result that is shown, by its place in the run. */
  place: number
  /** Of the scores. */
  labels: readonly string[]
  onPlace: (place: number) => void
  onClose: () => void
}

/** One result after the other, large, with all scores. Arrows go on, Escape closes. */
export function ResultViewer({ project, results, place, labels, onPlace, onClose }: ResultViewerProps) {
  const { t } = useTranslation('predictions')
  const readable = results.filter(({ reason }) => reason === null)
  const at = readable.findIndex((each) => each.place === place)
  const result = readable[at]
  if (!result) return null
  const step = (by: 1 | -1) => {
    const next = readable[at + by]
    if (next) onPlace(next.place)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    step(event.key === 'ArrowLeft' ? -1 : 1)
  }
  return (
    <Modal opened onClose={onClose} size="min(1200px, 96vw)" title={result.name} onKeyDown={press}>
      <Group justify="space-between" mb="sm">
        <Group gap={4}>
          <ActionIcon variant="default" aria-label={t('viewer.previous')} disabled={at === 0} onClick={() => step(-1)}>
            <IconChevronLeft size={16} />
          </ActionIcon>
          <ActionIcon variant="default" aria-label={t('viewer.next')} disabled={at === readable.length - 1} onClick={() => step(1)}>
            <IconChevronRight size={16} />
          </ActionIcon>
        </Group>
        {result.item && (
          <Anchor component={Link} size="sm" to={`/projects/${project}/labelling?item=${result.item}`}>
            {t('viewer.label')}
          </Anchor>
        )}
      </Group>
      <div className={classes.stage}>
        <Shown result={result} />
        <Answer result={result} labels={labels} />
      </div>
    </Modal>
  )
}

/** The item as it was; of a picture that was sent there is the small one that the results keep. */
function Shown({ result }: { result: Result }) {
  const labels = useProject().data?.label_set.labels ?? []
  const { name, text, row, annotations, thumbnail_url, picture_url } = result
  const media = mediaOf(result)
  if (picture_url || !thumbnail_url) {
    const item = { name, text, row, thumbnail_url, picture_url: picture_url ?? '', media }
    return (
      <div className={classes.picture}>
        <ItemStage item={item} overlay={<AnnotationOverlay item={item} annotations={annotations} labels={labels} hasNames hasScores />} />
      </div>
    )
  }
  return (
    <div className={classes.small}>
      <AnnotatedThumb item={{ ...result, media }} annotations={annotations} labels={labels} alt={name} size={384} />
    </div>
  )
}

/** The prediction, with the scores of the other labels if there are any. */
function Answer({ result, labels }: { result: Result; labels: readonly string[] }) {
  const { annotations, scores } = result
  const { t } = useTranslation('predictions')
  const { annotation, Prediction } = useAnswerKind()
  const nothing = useNothingWord()
  const scored: AnnotationLike[] | undefined = scores?.map((score, index) => ({ kind: annotation, label: labels[index] ?? '', score }))
  const shown = scored?.sort((one, other) => (other.score ?? 0) - (one.score ?? 0)).slice(0, MOST_SCORES) ?? annotations
  return (
    <Stack gap="xs">
      <Beside prediction={result} />
      {shown.length > 0 && <Prediction annotations={shown} />}
      {annotations.length === 0 && (
        <Text size="sm" c="dimmed">
          {nothing}
        </Text>
      )}
      {scored && scored.length > shown.length && (
        <Text size="xs" c="dimmed">
          {t('viewer.scores_shown', { shown: shown.length, all: scored.length })}
        </Text>
      )}
    </Stack>
  )
}

const MOST_SCORES = 12
