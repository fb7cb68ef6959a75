import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDownload, IconHistory, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { useAnswerKind } from '../../../answers'
import { useItemKind } from '../../../items'
import { useProject } from '../../../lib/project/project'
import { useTask } from '../../../lib/project/task'
import { useHasRole } from '../../../lib/session/session'
import type { Project } from '../../../lib/api/types'
import { formatBytes } from '../../../lib/format'
import { PageHeader } from '../../../ui/page-header'
import { useSummary } from '../../../lib/dataset/summary'
import { withNewLabels } from '../../../lib/labels/label-colors'
import { useSetLabels } from '../../../lib/labels/set-labels'
import { afterMutation } from '../../../lib/after-mutation'
import type { IncomingFile } from '../../../lib/upload/incoming'
import { useUploadQueue } from '../api/use-upload-queue'
import { DropArea } from '../components/drop-area'
import { Imports } from '../components/imports'
import { ItemsBrowser } from '../components/items-browser'
import { QueuePanel } from '../components/queue-panel'
import { StagedFiles } from '../components/staged-files'
import { TargetHint } from '../components/target-hint'
import { Unfinished } from '../components/unfinished'
import { UploadsDrawer } from '../components/uploads-drawer'
import { folderLabels, sendable } from '../model/incoming'
import { looseSource, type LabelSource, sourceAtOnce } from '../model/label-source'

/** Pictures in, pictures seen. */
export function Component() {
  const { t } = useTranslation('data')
  const project = useProject().data
  const task = useTask().data
  return project && task ? <DataPage project={project} /> : <PageHeader title={t('title')} />
}

function DataPage({ project }: { project: Project }) {
  const { t } = useTranslation('data')
  const canUpload = useHasRole('engineer')
  const { labelsFrom, upload } = useItemKind()
  const { isOfWhole } = useAnswerKind()
  const { queue, hasTransfers } = useUploadQueue(project.id, project.dataset)
  const [staged, setStaged] = useState<IncomingFile[]>([])
  const [isUploading, uploading] = useDisclosure(false)
  const [isHistoryOpen, history] = useDisclosure(false)
  const summary = useSummary(project.dataset)
  const setLabels = useSetLabels(project.id)
  const isEmpty = summary.data?.items === 0
  const showsDrop = canUpload && staged.length === 0 && (isUploading || (isEmpty && !hasTransfers))

  const stage = (files: IncomingFile[]) => setStaged((before) => [...before, ...files])
  const start = (files: IncomingFile[], labels: LabelSource, otherwise?: () => void) => {
    const send = () => {
      queue.add(files, labels)
      setStaged((now) => now.slice(staged.length))
      uploading.close()
    }
    const names = looseSource(labels) === 'folder' ? folderLabels(files) : []
    // Before the files arrive: the server would add them too, but in the order in which parallel requests happen to end, and the
    // order is that of the number keys.
    afterMutation(
      setLabels.mutateAsync((before) => withNewLabels(before, names)),
      send,
      otherwise,
    )
  }
  // What nothing is to be chosen of is sent as it comes.
  const take = (files: IncomingFile[]) => {
    const sent = sendable(files)
    const known = project.label_set.labels.map(({ name }) => name)
    const source =
      staged.length > 0 ? null : sourceAtOnce(sent, { items: upload.items, takesLabels: upload.takesLabels && isOfWhole, known })
    if (source === null) stage(files)
    else start(sent, source, () => stage(files))
  }
  const more = () => {
    queue.clear()
    uploading.open()
    window.scrollTo({ top: 0 })
  }

  return (
    <>
      <PageHeader
        title={t('title')}
        subtitle={summary.data ? <Counts {...summary.data} /> : ' '}
        actions={
          <>
            {!!summary.data?.annotated && (
              <Button
                component={Link}
                to={`/projects/${project.id}/versions?download`}
                variant="default"
                leftSection={<IconDownload size={16} />}
              >
                {t('download_labels')}
              </Button>
            )}
            <Button variant="default" leftSection={<IconHistory size={16} />} onClick={history.open}>
              {t('uploads.title')}
            </Button>
            {canUpload && (
              <Button leftSection={<IconUpload size={16} />} onClick={uploading.toggle} aria-expanded={showsDrop}>
                {t('upload')}
              </Button>
            )}
          </>
        }
      />
      <DropArea isVisible={showsDrop} isLarge={isEmpty} isDisabled={!canUpload} onFiles={take}>
        {staged.length > 0 && (
          <StagedFiles
            dataset={project.dataset}
            files={staged}
            onCancel={() => setStaged([])}
            isBusy={setLabels.isPending}
            onStart={start}
          />
        )}
        {hasTransfers && <QueuePanel queue={queue} dataset={project.dataset} onExplain={history.open} onMore={more} />}
        <Imports dataset={project.dataset} onExplain={history.open} onMore={more} />
        {canUpload && !hasTransfers && <Unfinished dataset={project.dataset} />}
        {!isEmpty && labelsFrom === 'columns' && <TargetHint project={project.id} />}
        {!isEmpty && <ItemsBrowser project={project} />}
      </DropArea>
      <UploadsDrawer dataset={project.dataset} opened={isHistoryOpen} onClose={history.close} />
    </>
  )
}

interface CountsProps {
  items: number
  annotated: number
  unlabelled: number
  size_bytes: number
}

function Counts({ items, annotated, unlabelled, size_bytes }: CountsProps) {
  const { t } = useTranslation('data')
  return (
    <Group gap="0 16px">
      <Text span inherit>
        {t('counts.items', { count: items })}
      </Text>
      <Text span inherit>
        {t('counts.annotated', { count: annotated })}
      </Text>
      <Text span inherit>
        {t('counts.unlabelled', { count: unlabelled })}
      </Text>
      <Text span inherit>
        {formatBytes(size_bytes)}
      </Text>
    </Group>
  )
}
