import { Alert, SimpleGrid, Text } from '@mantine/core'
import { IconFileUnknown } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { ApiError } from '../lib/api/errors'
import type { Unreadable } from '../lib/api/types'
import { refusalText } from '../lib/refusal-text'

/** What is stored of one thing cannot be read by this release; why, and what to do. */
export function UnreadableCard({ row }: { row: Unreadable }) {
  const { t } = useTranslation('common')
  const { title, detail, hint } = refusalText(new ApiError(409, row.code, '', row.detail, row.hint, {}, {}, row.params))
  return (
    <Alert color="orange" icon={<IconFileUnknown size={18} />} title={row.name} variant="light" role="note">
      <Text size="sm" fw={600}>
        {t('unreadable')}
      </Text>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {detail || title}
      </Text>
      {hint && <Text size="sm">{hint}</Text>}
    </Alert>
  )
}

/** Rows of a list that cannot be read, beside those that can. */
export function UnreadableRows({ rows }: { rows: readonly Unreadable[] }) {
  if (rows.length === 0) return null
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xs" mt="md">
      {rows.map((row) => (
        <UnreadableCard key={row.id} row={row} />
      ))}
    </SimpleGrid>
  )
}
