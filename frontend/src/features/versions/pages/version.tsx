import { Anchor, Button, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDownload, IconFlask } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'

import { BarList } from '../../../charts/bar-list/bar-list'
import { useVersionNote } from '../../../lib/dataset/version-note'
import { useProjectId } from '../../../lib/project/project'
import { usePersonName } from '../../../lib/session/people'
import { useHasRole } from '../../../lib/session/session'
import { CopyButton } from '../../../ui/copy-button'
import { ErrorState } from '../../../ui/error-state'
import { Facts } from '../../../ui/facts'
import { LoadingPage } from '../../../ui/loading-page'
import { PageHeader } from '../../../ui/page-header'
import { RelativeTime } from '../../../ui/relative-time'
import { Section } from '../../../ui/section'
import { useVersion } from '../api/get-versions'
import type { Version } from '../api/types'
import { DownloadDialog } from '../components/download-dialog'
import { ItemGallery } from '../components/item-gallery'
import { SplitBar } from '../components/split-bar'
import { VersionMenu } from '../components/version-menu'

/** One version: what is in it, by number and by picture. */
export function Component() {
  const { t } = useTranslation('versions')
  const { version: id = '' } = useParams()
  const noteOf = useVersionNote()
  const version = useVersion(id)
  const canTrain = useHasRole('engineer')
  const project = useProjectId()
  const [isDownloading, download] = useDisclosure(false)
  if (version.isPending) return <LoadingPage />
  if (version.isLoadingError) return <ErrorState error={version.error} onRetry={() => void version.refetch()} />
  return (
    <>
      <PageHeader
        title={t('name', { number: version.data.number })}
        subtitle={noteOf(version.data) || t('items_count', { count: version.data.num_items })}
        actions={
          <>
            <Button variant="default" onClick={download.open} leftSection={<IconDownload size={16} />}>
              {t('download')}
            </Button>
            {canTrain && (
              <Button component={Link} to={`/projects/${project}/studies/new?version=${id}`} leftSection={<IconFlask size={16} />}>
                {t('train')}
              </Button>
            )}
            <VersionMenu project={project} version={version.data} />
          </>
        }
      />
      {isDownloading && <DownloadDialog version={id} number={version.data.number} onClose={download.close} />}
      <Stack>
        <SimpleGrid cols={{ base: 1, md: version.data.labels.length ? 2 : 1 }}>
          <Section title={t('splits')}>
            <SplitBar counts={version.data.num_items_by_split} hasLegend />
            <VersionFacts version={version.data} />
          </Section>
          {version.data.labels.length > 0 && (
            <Section title={t('per_label')}>
              <LabelCounts version={version.data} />
            </Section>
          )}
        </SimpleGrid>
        <Section title={t('gallery')}>
          <ItemGallery version={id} labels={version.data.labels} />
        </Section>
      </Stack>
    </>
  )
}

function VersionFacts({ version }: { version: Version }) {
  const { t } = useTranslation('versions')
  const personName = usePersonName()
  return (
    <div style={{ marginTop: 16 }}>
      <Facts
        facts={[
          {
            name: t('made'),
            value: (
              <>
                <RelativeTime value={version.created_at} /> · {personName(version.created_by)}
              </>
            ),
          },
          {
            name: t('id'),
            value: (
              <Group gap={4} wrap="nowrap">
                <Code>{version.id}</Code>
                <CopyButton value={version.id} />
              </Group>
            ),
          },
          { name: t('branch.one'), value: version.branch },
          {
            name: t('parent'),
            value: version.parent ? (
              <Anchor component={Link} to={`../versions/${version.parent}`} size="sm">
                {t('parent_link')}
              </Anchor>
            ) : (
              <Text size="sm" c="dimmed">
                {t('parent_none')}
              </Text>
            ),
          },
        ]}
      />
    </div>
  )
}

function LabelCounts({ version }: { version: Version }) {
  const { t } = useTranslation('versions')
  return (
    <BarList
      title={t('label')}
      columns={[{ key: 'count', title: t('count'), format: (value) => String(value ?? 0), full: null }]}
      rows={version.labels.map((label) => ({
        key: label,
        title: label,
        values: { count: version.num_annotations_by_label[label] ?? 0 },
      }))}
      initialSort={{ column: 'count', isDescending: true }}
    />
  )
}
