import { Badge, Box, Button, Group, Modal, SimpleGrid, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { PictureThumb } from '../../../ui/picture-thumb'
import { RelativeTime } from '../../../ui/relative-time'
import { useItemHistory } from '../api/history'
import type { Conflict } from '../model/autosave'
import { labelsOf, type Said, saidOf } from '../model/said'

interface ConflictDialogProps {
  conflict: Conflict
  onResolve: (choice: 'mine' | 'theirs') => void
}

/** Somebody else changed the item meanwhile: both versions side by side, and a person decides. */
export function ConflictDialog({ conflict, onResolve }: ConflictDialogProps) {
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
      <Group align="flex-start" wrap="nowrap" mb="md">
        <Box flex="none">
          <PictureThumb src={conflict.theirs.thumbnail_url} alt={conflict.theirs.name} size={96} />
        </Box>
        <Text size="sm">{t('conflict.text', { name: conflict.theirs.name })}</Text>
      </Group>
      <SimpleGrid cols={2}>
        <Stack gap="xs" justify="space-between">
          <Side title={t('conflict.mine')} said={conflict.mine} />
          <Button autoFocus onClick={() => onResolve('mine')}>
            {t('conflict.keep_mine')}
          </Button>
        </Stack>
        <Stack gap="xs" justify="space-between">
          <Side title={last ? last.by_name : t('conflict.theirs')} at={last?.at} said={saidOf(conflict.theirs)} />
          <Button variant="default" onClick={() => onResolve('theirs')}>
            {t('conflict.keep_theirs')}
          </Button>
        </Stack>
      </SimpleGrid>
    </Modal>
  )
}

function Side({ title, at, said }: { title: string; at?: string; said: Said }) {
  const { t } = useTranslation('labelling')
  const labels = labelsOf(said)
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Text size="xs" c="dimmed" mih={18}>
        {at && <RelativeTime value={at} />}
      </Text>
      <Group gap={4}>
        {labels.map((label) => (
          <Badge key={label}>{label}</Badge>
        ))}
        {labels.length === 0 && <Text size="sm">{said === null ? t('said.unlabelled') : t('said.nothing')}</Text>}
      </Group>
    </Stack>
  )
}
