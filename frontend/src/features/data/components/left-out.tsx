import { Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import type { Upload } from '../../../lib/api/types'
import { useLocalText } from '../../../lib/local-text'
import { useRejects } from '../api/get-uploads'

const SHOWN = 3

interface LeftOutProps {
  upload: Upload
  /** Opens the list of all. */
  onMore?: () => void
}

/** The first files of an upload that were refused or have a note, each with its reason. */
export function LeftOut({ upload, onMore }: LeftOutProps) {
  const { t } = useTranslation('data')
  const local = useLocalText()
  const rejects = useRejects(upload.dataset, upload.id).data?.pages[0]?.items ?? []
  const rest = upload.num_rejected + upload.num_noted - SHOWN
  return (
    <Stack gap={4} miw={0}>
      {rejects.slice(0, SHOWN).map((reject, index) => (
        <Group key={index} gap="0 8px">
          {reject.name !== upload.name && (
            <Text size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
              {reject.name}
            </Text>
          )}
          <Text size="sm" c="dimmed">
            {local(reject.reason)}
          </Text>
        </Group>
      ))}
      {rest > 0 &&
        (onMore ? (
          <UnstyledButton fz="xs" c="var(--mantine-color-anchor)" onClick={onMore} style={{ alignSelf: 'flex-start' }}>
            {t('staged.more', { count: rest })}
          </UnstyledButton>
        ) : (
          <Text size="xs" c="dimmed">
            {t('staged.more', { count: rest })}
          </Text>
        ))}
    </Stack>
  )
}
