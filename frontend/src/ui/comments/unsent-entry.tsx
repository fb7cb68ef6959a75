import { Button, Group, Text } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import type { Unsent } from '../../lib/comments/outbox'
import { refusalText } from '../../lib/refusal-text'
import classes from './comments.module.css'

/** A comment that only this browser has. Taken back it lies in the field again. */
export function UnsentEntry({ entry, onTakeBack }: { entry: Unsent; onTakeBack: (entry: Unsent) => void }) {
  const { t } = useTranslation('comments')
  const refusal = entry.refusal && refusalText(entry.refusal)
  return (
    <article className={classes.entry} data-unsent aria-label={t('not_sent')}>
      <Group gap={4} wrap="nowrap" role="status">
        <IconCloudOff size={14} />
        <Text size="xs" fw={600} flex={1}>
          {t('not_sent')}
        </Text>
        <Button size="compact-xs" variant="subtle" color="gray" onClick={() => onTakeBack(entry)}>
          {t('take_back')}
        </Button>
      </Group>
      <Text size="sm" className={classes.text}>
        {entry.text}
      </Text>
      <Text size="xs" c={refusal ? 'red' : 'dimmed'}>
        {refusal ? [refusal.title, refusal.detail, refusal.hint].filter(Boolean).join(' · ') : t('sent_later')}
      </Text>
    </article>
  )
}
