import { Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import type { Upload } from '../../../lib/api/types'
import { LeftOut } from './left-out'
import { NextSteps } from './next-steps'

interface ArrivedProps {
  /** Those that are read. */
  uploads: readonly Upload[]
  /** Opens the list of uploads with all reasons. */
  onExplain: () => void
  /** Shows the field for more files. */
  onMore: () => void
}

const sum = (uploads: readonly Upload[], field: 'num_items' | 'num_labelled' | 'num_duplicates' | 'num_rejected' | 'num_noted') =>
  uploads.reduce((total, upload) => total + upload[field], 0)

/** What came of uploads: what is in, what was left out and why, and what can be done next. */
export function Arrived({ uploads, onExplain, onMore }: ArrivedProps) {
  const { t } = useTranslation('data')
  const [num_rejected, num_noted] = [sum(uploads, 'num_rejected'), sum(uploads, 'num_noted')]
  const num_duplicates = sum(uploads, 'num_duplicates')
  // Loose files are covered by the note on their folders.
  const num_labelled = sum(
    uploads.filter(({ kind }) => kind !== 'batch'),
    'num_labelled',
  )
  const facts = [
    t('arrived.new', { count: sum(uploads, 'num_items') }),
    num_labelled > 0 && t('uploads.labelled', { count: num_labelled }),
    num_duplicates > 0 && t('uploads.duplicates', { count: num_duplicates }),
  ]
  const left = [
    num_rejected > 0 && t('uploads.rejected', { count: num_rejected }),
    num_noted > 0 && t('uploads.noted', { count: num_noted }),
  ]
  const withReasons = uploads.filter((upload) => upload.num_rejected + upload.num_noted > 0)
  return (
    <Stack gap="xs">
      <Group gap="xs" role="status">
        <IconCircleCheck size={16} color="var(--mantine-color-teal-6)" aria-hidden />
        <Text size="sm">{facts.filter(Boolean).join(' · ')}</Text>
      </Group>
      {withReasons.length > 0 && (
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <IconAlertTriangle size={16} color="var(--mantine-color-orange-6)" aria-hidden style={{ flex: 'none', marginTop: 2 }} />
          <Stack gap={4} miw={0}>
            <Text size="sm">{left.filter(Boolean).join(' · ')}</Text>
            {withReasons.map((upload) => (
              <LeftOut key={upload.id} upload={upload} onMore={onExplain} />
            ))}
          </Stack>
        </Group>
      )}
      <NextSteps onMore={onMore} />
    </Stack>
  )
}
