import { Alert, Group, Stack, Table, Text } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { IdThumb } from '../../../items/id-thumb'
import { type Plan, usePreview } from '../api/label-changes'

/** What a change would do, before anybody does it. */
export function PreviewPanel({ project, plan }: { project: string; plan: Plan | null }) {
  const { t } = useTranslation('labels')
  const preview = usePreview(project, plan)
  if (plan === null) return null
  if (preview.isPending) return <LoadingState rows={2} height={28} />
  if (preview.isError) return <ErrorState error={preview.error} />
  const { counts_before, counts_after, num_items, num_joined, is_sampled, sample } = preview.data
  return (
    <Stack gap="xs" aria-live="polite">
      <Text size="sm" fw={600}>
        {t(is_sampled ? 'preview.about' : 'preview.exact', { count: num_items })}
      </Text>
      <Table verticalSpacing={4} aria-label={t('preview.title')}>
        <Table.Tbody>
          {Object.entries(counts_before).map(([label, before]) => (
            <Table.Tr key={label}>
              <Table.Th scope="row" fw={500}>
                {label}
              </Table.Th>
              <Table.Td ta="right">
                <Group gap={6} justify="flex-end" wrap="nowrap">
                  <Text span size="sm" c="dimmed">
                    {before}
                  </Text>
                  <IconArrowRight size={13} aria-label={t('preview.becomes')} />
                  <Text span size="sm" fw={600}>
                    {counts_after[label] ?? 0}
                  </Text>
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {num_joined > 0 && <Alert color="yellow">{t('preview.joined', { count: num_joined })}</Alert>}
      {sample.length > 0 && (
        <Group gap={4}>
          {sample.map((item) => (
            <IdThumb key={item} item={item} size={48} lines={2} />
          ))}
        </Group>
      )}
    </Stack>
  )
}
