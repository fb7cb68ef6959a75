import { Button, Group, NumberInput, Paper, Stack, Text } from '@mantine/core'
import { IconScale, IconWand } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { isDrawn } from '../../../answers'
import type { Annotation, Label } from '../../../lib/api/types'
import { formatPercent } from '../../../lib/format'
import { useStacked } from '../../../lib/labels/use-stacked'
import { afterMutation } from '../../../lib/after-mutation'
import { AnnotatedThumb } from '../../../answers/annotated-thumb'
import { besidesLabels } from '../../../answers/annotations'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { ItemThumb } from '../../../items/item-thumb'
import { LoadMore } from '../../../ui/load-more'
import { LoadingState } from '../../../ui/loading-state'
import { notifyDone } from '../../../ui/notify'
import { type Dispute, useDisputes, useMerge, useSettle } from '../api/campaigns'
import classes from './disputes.module.css'
import { AnnotationChips } from './annotation-chips'
import { OtherAnswer } from './other-answer'

interface DisputesProps {
  project: string
  campaign: string
  labels: readonly Label[]
  canDecide: boolean
  /** Whether an item may carry several labels. */
  takesSeveral: boolean
}

/** Items on which people disagree: settle them one by one, or by the campaign's rule where it is sure. */
export function Disputes({ project, campaign, labels, canDecide, takesSeveral }: DisputesProps) {
  const { t } = useTranslation('team')
  const disputes = useDisputes(campaign)
  const settle = useSettle(campaign)
  const navigate = useNavigate()
  const [skipped, setSkipped] = useState<ReadonlySet<string>>(new Set())
  const all = disputes.data?.pages.flatMap((page) => page.items) ?? []
  const rows = all.filter((row) => !skipped.has(row.item.item))
  if (disputes.isPending) return <LoadingState rows={3} height={72} />
  if (disputes.isLoadingError) return <ErrorState error={disputes.error} onRetry={() => void disputes.refetch()} />
  if (all.length === 0)
    return (
      <EmptyState icon={<IconScale size={36} stroke={1.2} />} title={t('dispute.none')}>
        {t('dispute.none_text')}
      </EmptyState>
    )
  const decide = (item: string, annotations: Annotation[]) => settle.mutate({ item, annotations })
  const decideAndEdit = (item: string, annotations: Annotation[]) =>
    afterMutation(settle.mutateAsync({ item, annotations }), () => void navigate(`/projects/${project}/labelling?item=${item}`))
  return (
    <Stack gap="xs">
      {canDecide && <ByRule campaign={campaign} />}
      {rows.map((row) => (
        <DisputeRow
          key={row.item.item}
          dispute={row}
          labels={labels}
          takesSeveral={takesSeveral}
          onDecide={canDecide ? decide : undefined}
          onDecideAndEdit={decideAndEdit}
          onSkip={() => setSkipped((now) => new Set(now).add(row.item.item))}
          isBusy={settle.isPending}
        />
      ))}
      {skipped.size > 0 && (
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {t('dispute.skipped', { count: skipped.size })}
          </Text>
          <Button size="compact-xs" variant="subtle" onClick={() => setSkipped(new Set())}>
            {t('dispute.show_skipped')}
          </Button>
        </Group>
      )}
      <LoadMore query={disputes} />
    </Stack>
  )
}

interface DisputeRowProps {
  dispute: Dispute
  labels: readonly Label[]
  takesSeveral: boolean
  isBusy: boolean
  onSkip: () => void
  onDecide?: (item: string, annotations: Annotation[]) => void
  /** Decides, and opens the item where shapes are corrected. */
  onDecideAndEdit: (item: string, annotations: Annotation[]) => void
}

function DisputeRow({ dispute, labels, takesSeveral, isBusy, onSkip, onDecide, onDecideAndEdit }: DisputeRowProps) {
  const { t } = useTranslation('team')
  const { item, answers, proposal, confidence } = dispute
  const hasDrawn = answers.some((answer) => isDrawn(answer.annotations))
  return (
    <Paper className={classes.row}>
      {!hasDrawn && (
        <a className={classes.whole} href={item.picture_url} target="_blank" rel="noreferrer" aria-label={item.name}>
          <ItemThumb size={112} item={item} alt={item.name} />
        </a>
      )}
      <Stack gap={6} flex={1} miw={0}>
        <Text size="xs" c="dimmed" truncate>
          {item.name}
        </Text>
        {answers.map((answer) => (
          <Group key={answer.person} gap="xs">
            <Text size="sm" w={{ base: 72, sm: 120 }} truncate>
              {answer.name || t('somebody')}
            </Text>
            {hasDrawn && <Drawn item={item} annotations={answer.annotations} labels={labels} />}
            <div style={{ flex: '1 1 110px', minWidth: 0 }}>
              <AnnotationChips annotations={answer.annotations} labels={labels} />
            </div>
            {onDecide && (
              <Button size="xs" variant="default" disabled={isBusy} onClick={() => onDecide(item.item, answer.annotations)}>
                {t('dispute.take')}
              </Button>
            )}
            {onDecide && hasDrawn && (
              <Button size="xs" variant="subtle" disabled={isBusy} onClick={() => onDecideAndEdit(item.item, answer.annotations)}>
                {t('dispute.take_and_edit')}
              </Button>
            )}
          </Group>
        ))}
        {proposal && (
          <Group gap="sm" wrap="nowrap">
            <Text size="sm" w={120} c="dimmed" truncate>
              {t('dispute.rule', { confidence: formatPercent(confidence ?? 0) })}
            </Text>
            {hasDrawn && <Drawn item={item} annotations={proposal} labels={labels} />}
            <AnnotationChips annotations={proposal} labels={labels} />
          </Group>
        )}
        {onDecide && (
          <Group gap="xs">
            {answers.every(({ annotations }) => besidesLabels(annotations).length === 0) && (
              <OtherAnswer
                labels={labels}
                takesSeveral={takesSeveral}
                isBusy={isBusy}
                onDecide={(annotations) => onDecide(item.item, annotations)}
              />
            )}
            <Button size="compact-xs" variant="subtle" color="gray" disabled={isBusy} onClick={onSkip}>
              {t('dispute.skip')}
            </Button>
          </Group>
        )}
      </Stack>
    </Paper>
  )
}

/** What one person drew, on a picture of its own: two people's boxes on one picture would be indistinguishable. */
function Drawn({ item, annotations, labels }: { item: Dispute['item']; annotations: Annotation[]; labels: readonly Label[] }) {
  const stacked = useStacked()
  return (
    <a href={item.picture_url} target="_blank" rel="noreferrer" aria-label={item.name}>
      <AnnotatedThumb size={168} item={item} annotations={stacked(annotations)} labels={labels} alt={item.name} />
    </a>
  )
}

function ByRule({ campaign }: { campaign: string }) {
  const { t } = useTranslation('team')
  const merge = useMerge(campaign)
  const [percent, setPercent] = useState(70)
  const run = () =>
    afterMutation(merge.mutateAsync(percent / 100), ({ num_items }) =>
      notifyDone(num_items ? t('dispute.settled', { count: num_items }) : t('dispute.settled_none')),
    )
  return (
    <Group gap="sm" align="flex-end">
      <NumberInput
        w={190}
        size="xs"
        label={t('dispute.min_confidence')}
        suffix=" %"
        min={0}
        max={99}
        value={percent}
        onChange={(value) => setPercent(Number(value) || 0)}
      />
      <Button size="xs" variant="default" leftSection={<IconWand size={14} />} loading={merge.isPending} onClick={run}>
        {t('dispute.by_rule')}
      </Button>
    </Group>
  )
}
