import { Button, Modal, SimpleGrid, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import type { ItemAnnotations } from '../../../answers/annotations'
import type { Item, Label } from '../../../lib/api/types'
import { useStacked } from '../../../lib/labels/use-stacked'
import { AnnotatedThumb } from '../../../answers/annotated-thumb'
import { RelativeTime } from '../../../ui/relative-time'
import { useItemHistory } from '../api/history'
import type { Conflict } from '../model/autosave'
import { annotationsOf } from '../model/annotations-of'
import { AnnotationBadges } from './annotation-badges'

interface ConflictDialogProps {
  conflict: Conflict
  labels: readonly Label[]
  onResolve: (choice: 'mine' | 'theirs') => void
}

/** Somebody else changed the item meanwhile: both versions side by side, and a person decides. */
export function ConflictDialog({ conflict, labels, onResolve }: ConflictDialogProps) {
  const { t } = useTranslation('labelling')
  const history = useItemHistory(conflict.item, conflict.theirs.revision)
  const last = history.data?.[0]
  return (
    <Modal
      opened
      onClose={() => onResolve('theirs')}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t('conflict.title')}
    >
      <Text size="sm" mb="md">
        {t('conflict.text', { name: conflict.theirs.name })}
      </Text>
      <SimpleGrid cols={2}>
        <Stack gap="xs" justify="space-between">
          <Side title={t('conflict.mine')} annotations={conflict.mine} item={conflict.theirs} labels={labels} />
          <Button autoFocus onClick={() => onResolve('mine')}>
            {t('conflict.keep_mine')}
          </Button>
        </Stack>
        <Stack gap="xs" justify="space-between">
          <Side
            title={last ? last.by_name : t('conflict.theirs')}
            at={last?.at}
            annotations={annotationsOf(conflict.theirs)}
            item={conflict.theirs}
            labels={labels}
          />
          <Button variant="default" onClick={() => onResolve('theirs')}>
            {t('conflict.keep_theirs')}
          </Button>
        </Stack>
      </SimpleGrid>
    </Modal>
  )
}

interface SideProps {
  title: string
  at?: string
  annotations: ItemAnnotations
  item: Item
  labels: readonly Label[]
}

function Side({ title, at, annotations, item, labels }: SideProps) {
  const stacked = useStacked()
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Text size="xs" c="dimmed" mih={18}>
        {at && <RelativeTime value={at} />}
      </Text>
      <AnnotatedThumb item={item} annotations={stacked(annotations ?? [])} labels={labels} alt={item.name} size={160} />
      <AnnotationBadges annotations={annotations} />
    </Stack>
  )
}
