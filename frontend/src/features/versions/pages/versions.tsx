import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDownload, IconFileZip, IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'

import { useAnswerKind } from '../../../answers'
import { useItemKind } from '../../../items'
import { useSummary } from '../../../lib/dataset/summary'
import { useVersionNote } from '../../../lib/dataset/version-note'
import { useProject, useProjectId } from '../../../lib/project/project'
import { usePersonName } from '../../../lib/session/people'
import { useHasRole } from '../../../lib/session/session'
import type { Column } from '../../../ui/data-table'
import { EmptyState } from '../../../ui/empty-state'
import { ListPage } from '../../../ui/list-page'
import { LoadingState } from '../../../ui/loading-state'
import { RelativeTime } from '../../../ui/relative-time'
import { useVersions } from '../api/get-versions'
import { useBranches } from '../api/restore'
import type { Version } from '../api/types'
import { LabelsDownloadDialog } from '../components/download-dialog'
import { GraphCell } from '../components/graph-cell'
import { LabelBar } from '../components/label-bar'
import { NewVersionDialog } from '../components/new-version-dialog'
import { SplitBar } from '../components/split-bar'
import { StateStrip } from '../components/state-strip'
import { VersionMenu } from '../components/version-menu'
import { numLanes, versionGraph } from '../model/version-graph'

/** All versions of the project's data, newest first. */
export function Component() {
  const { t } = useTranslation('versions')
  const project = useProjectId()
  const canCreate = useHasRole('engineer')
  const versions = useVersions(project)
  // The page of the data leads here with `?download` and `?new`.
  const [query, setQuery] = useSearchParams()
  const [isOpen, dialog] = useDisclosure(canCreate && query.has('new'))
  // Not by `useDisclosure`: that may call back after the dialog has led on to the new version, and would lead back here.
  const close = () => {
    dialog.close()
    if (query.has('new')) setQuery({}, { replace: true })
  }
  const rows = versions.data?.pages.flatMap((page) => page.items) ?? []
  const columns = useColumns(project, rows)
  const actions = (
    <>
      <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => setQuery({ download: '' })}>
        {t('download_labels')}
      </Button>
      {canCreate && (
        <Button component={Link} to="archive" variant="default" leftSection={<IconFileZip size={16} />}>
          {t('archive.open')}
        </Button>
      )}
    </>
  )
  return (
    <>
      <ListPage
        title={t('title')}
        lead={t('lead')}
        actions={actions}
        create={
          canCreate && (
            <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
              {t('create')}
            </Button>
          )
        }
        query={versions}
        columns={columns}
        above={<StateStrip project={project} />}
        empty={<NoVersion {...(canCreate ? { onCreate: dialog.open } : {})} />}
      />
      {query.has('download') && <LabelsDownloadDialog project={project} onClose={() => setQuery({}, { replace: true })} />}
      {isOpen && <NewVersionDialog project={project} onClose={close} />}
    </>
  )
}

/** No version yet: what is missing for the first one, or the way to it. */
function NoVersion({ onCreate }: { onCreate?: () => void }) {
  const { t } = useTranslation('versions')
  const project = useProject().data
  if (!project) return null
  return <FirstVersion project={project.id} dataset={project.dataset} title={t('empty_title')} {...(onCreate ? { onCreate } : {})} />
}

function FirstVersion({ project, dataset, title, onCreate }: { project: string; dataset: string; title: string; onCreate?: () => void }) {
  const { t } = useTranslation('versions')
  const summary = useSummary(dataset)
  const { labelsFrom } = useItemKind()
  if (summary.isPending) return <LoadingState rows={3} />
  const numLabelled = summary.data?.annotated ?? 0
  return (
    <EmptyState
      drawing="versions"
      title={title}
      action={
        numLabelled > 0 ? (
          onCreate && <Button onClick={onCreate}>{t('create')}</Button>
        ) : (
          <Button component={Link} to={`/projects/${project}/${labelsFrom}`}>
            {t('to_labelling')}
          </Button>
        )
      }
    >
      {numLabelled > 0 ? t('empty_labelled', { count: numLabelled }) : t('empty_text')}
    </EmptyState>
  )
}

function useColumns(project: string, versions: readonly Version[]): Column<Version>[] {
  const { t } = useTranslation('versions')
  const base = useBranches(project).data?.base
  const graph = new Map(versionGraph(versions).map((row) => [row.id, row]))
  const lanes = numLanes([...graph.values()])
  // Oldest first, so that a branch keeps its colour when others are added.
  const branches = [...new Set([...versions].reverse().map((version) => version.branch))]
  const labels = useProject().data?.label_set.labels ?? []
  const { hasLabels } = useAnswerKind()
  const personName = usePersonName()
  const noteOf = useVersionNote()
  const ofLabels: Column<Version> = {
    key: 'labels',
    title: t('column.labels'),
    width: 220,
    render: (version) => (
      <>
        <Text size="xs">{t('labels_count', { count: version.labels.length })}</Text>
        <LabelBar counts={version.num_annotations_by_label} labels={labels} />
      </>
    ),
  }
  return [
    {
      key: 'graph',
      title: '',
      width: lanes * 16 + 12,
      render: (version) => {
        const row = graph.get(version.id)
        return row && <GraphCell row={row} numLanes={lanes} branch={version.branch} branches={branches} isBase={version.id === base} />
      },
    },
    {
      key: 'number',
      title: t('column.number'),
      width: 130,
      render: (version) => (
        <>
          <b>{t('name', { number: version.number })}</b>
          <Text size="xs" c="dimmed" truncate maw={120} title={version.branch}>
            {version.branch}
          </Text>
        </>
      ),
    },
    {
      key: 'items',
      title: t('column.items'),
      width: 220,
      render: (version) => (
        <>
          <Text size="xs">{t('items_count', { count: version.num_items })}</Text>
          <SplitBar counts={version.num_items_by_split} />
        </>
      ),
    },
    ...(hasLabels ? [ofLabels] : []),
    {
      key: 'note',
      title: t('column.note'),
      render: (version) => (
        <Text size="sm" miw={100}>
          {noteOf(version)}
        </Text>
      ),
    },
    {
      key: 'by',
      title: t('column.by'),
      width: 190,
      render: (version) => (
        <Text size="sm" c="dimmed">
          <RelativeTime value={version.created_at} /> · {personName(version.created_by)}
        </Text>
      ),
    },
    { key: 'menu', title: '', width: 48, render: (version) => <VersionMenu project={project} version={version} /> },
  ]
}
