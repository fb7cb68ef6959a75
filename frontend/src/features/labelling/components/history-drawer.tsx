import { Badge, Button, Drawer, Group, Stack, Text, Timeline } from '@mantine/core'
import { IconHistory, IconRobot } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import type { ItemAnnotations } from '../../../answers/annotations'
import type { Item } from '../../../lib/api/types'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { RelativeTime } from '../../../ui/relative-time'
import { useItemHistory } from '../api/history'
import { isSame } from '../model/annotations-of'
import { AnnotationBadges } from './annotation-badges'

interface HistoryDrawerProps {
  item: Item | null
  annotations: ItemAnnotations
  canLabel: boolean
  opened: boolean
  onClose: () => void
  onRevert: (annotations: ItemAnnotations) => void
}

/** Who annotated what, revision by revision; restoring a revision adds a new one. */
export function HistoryDrawer({ item, annotations, canLabel, opened, onClose, onRevert }: HistoryDrawerProps) {
  const { t } = useTranslation('labelling')
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={360}
      title={t('history.title')}
      overlayProps={{ backgroundOpacity: 0.15 }}
    >
      {item && opened && <Steps item={item} annotations={annotations} canLabel={canLabel} onRevert={onRevert} />}
    </Drawer>
  )
}

function Steps({
  item,
  annotations,
  canLabel,
  onRevert,
}: Pick<HistoryDrawerProps, 'annotations' | 'canLabel' | 'onRevert'> & { item: Item }) {
  const { t } = useTranslation('labelling')
  const history = useItemHistory(item.id, item.revision)
  if (history.isPending) return <LoadingState />
  if (history.isLoadingError) return <ErrorState error={history.error} onRetry={() => void history.refetch()} />
  if (!history.data.length)
    return (
      <EmptyState icon={<IconHistory size={32} stroke={1.2} />} title={t('history.empty')}>
        {t('history.empty_text')}
      </EmptyState>
    )
  return (
    <Timeline active={0} bulletSize={14} lineWidth={2}>
      {history.data.map((step, index) => {
        const isNow = index === 0 && isSame(step.annotations, annotations)
        return (
          <Timeline.Item key={step.revision} title={<Who by={step.by} name={step.by_name} />}>
            <Stack gap={4}>
              <Text size="xs" c="dimmed">
                <RelativeTime value={step.at} />
              </Text>
              <AnnotationBadges annotations={step.annotations} />
              {step.review && (
                <Badge size="xs" variant="light" color={step.review === 'approve' ? 'teal' : 'orange'}>
                  {t(`history.${step.review}`)}
                </Badge>
              )}
              {step.comment && <Text size="xs">{step.comment}</Text>}
              {isNow ? (
                <Text size="xs" c="dimmed">
                  {t('history.now')}
                </Text>
              ) : (
                canLabel && (
                  <Button size="compact-xs" variant="default" w="fit-content" onClick={() => onRevert(step.annotations)}>
                    {t('history.revert')}
                  </Button>
                )
              )}
            </Stack>
          </Timeline.Item>
        )
      })}
    </Timeline>
  )
}

function Who({ by, name }: { by: string; name: string }) {
  const { t } = useTranslation('labelling')
  const kind = by.slice(0, by.indexOf(':'))
  if (name) return <Text size="sm">{name}</Text>
  return (
    <Group gap={4}>
      {kind === 'model' && <IconRobot size={14} />}
      <Text size="sm">{t(`history.by.${['model', 'import', 'system', 'key'].includes(kind) ? kind : 'unknown'}`)}</Text>
    </Group>
  )
}
