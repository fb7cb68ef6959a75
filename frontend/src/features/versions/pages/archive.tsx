import { Alert, Button, Group, List, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { IconDownload, IconFileZip, IconRefresh } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import { formatBytes, formatNumber } from '../../../lib/format'
import { useProjectId } from '../../../lib/project/project'
import { useHasRole } from '../../../lib/session/session'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { Facts } from '../../../ui/facts'
import { LoadingState } from '../../../ui/loading-state'
import { PageHeader } from '../../../ui/page-header'
import { Progress } from '../../../ui/progress'
import { RelativeTime } from '../../../ui/relative-time'
import { Section } from '../../../ui/section'
import { isMoving, useArchive, useArchiveJob, useMakeArchive } from '../api/archive'
import { BackToVersions } from '../components/back-to-versions'

/** The whole project as one file. */
export function Component() {
  const { t } = useTranslation('versions')
  const isAllowed = useHasRole('engineer')
  return (
    <>
      <PageHeader title={t('archive.title')} subtitle={t('archive.lead')} actions={<BackToVersions />} />
      {isAllowed ? <Archive /> : <EmptyState title={t('archive.not_allowed')} />}
    </>
  )
}

function Archive() {
  const { t } = useTranslation('versions')
  const project = useProjectId()
  const queries = useQueryClient()
  const archive = useArchive(project)
  const job = useArchiveJob(project).data
  const make = useMakeArchive(project)
  const isBusy = isMoving(job)
  const ended = job && !isBusy ? job.id : null
  useEffect(() => {
    if (ended) void queries.invalidateQueries({ queryKey: ['versions', project, 'archive'] })
  }, [ended, project, queries])
  if (archive.isPending) return <LoadingState />
  if (archive.isLoadingError) return <ErrorState error={archive.error} onRetry={() => void archive.refetch()} />
  const last = archive.data
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Section title={t('archive.latest')}>
        <Stack>
          {last ? (
            <Facts
              facts={[
                { name: t('made'), value: <RelativeTime value={last.made_at} /> },
                { name: t('archive.size'), value: formatBytes(last.size_bytes) },
                { name: t('gallery'), value: formatNumber(last.num_items) },
                { name: t('title'), value: formatNumber(last.num_versions) },
              ]}
            />
          ) : (
            <Text size="sm" c="dimmed">
              {t('archive.none')}
            </Text>
          )}
          {isBusy && job && <Progress fraction={job.progress_fraction} label={t('archive.making')} remainingSeconds={job.remaining_s} />}
          {job?.state === 'failed' && <Alert color="red">{job.error?.message}</Alert>}
          <Group>
            <Button
              variant={last ? 'default' : 'filled'}
              leftSection={last ? <IconRefresh size={16} /> : <IconFileZip size={16} />}
              loading={make.isPending || isBusy}
              onClick={() => make.mutate()}
            >
              {t(last ? 'archive.renew' : 'archive.make')}
            </Button>
            {last && (
              <Button component="a" href={`/api/labeling/archives/${project}/download`} download leftSection={<IconDownload size={16} />}>
                {t('archive.download')}
              </Button>
            )}
          </Group>
        </Stack>
      </Section>
      <Section title={t('archive.holds')}>
        <Stack gap="xs">
          <List size="sm" spacing={4}>
            {(['pictures', 'labels', 'people', 'versions'] as const).map((part) => (
              <List.Item key={part}>{t(`archive.parts.${part}`)}</List.Item>
            ))}
          </List>
          <Text size="sm" c="dimmed">
            {t('archive.not_in')}
          </Text>
          <Text size="sm" c="dimmed">
            {t('archive.how_in')}
          </Text>
        </Stack>
      </Section>
    </SimpleGrid>
  )
}
