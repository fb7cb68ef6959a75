import { Button, Stack, Tabs } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconArrowsDiff, IconPackageExport, IconRocket, IconSchool } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useParams, useSearchParams } from 'react-router'

import { useMetrics, useModelName, useTask } from '../../../lib/project/task'
import { useHasRole } from '../../../lib/session/session'
import { ErrorState } from '../../../ui/error-state'
import { LoadingPage } from '../../../ui/loading-page'
import { LoadingState } from '../../../ui/loading-state'
import { PageHeader } from '../../../ui/page-header'
import { StateBadge } from '../../../ui/state-badge'
import { useArtefact } from '../api/get-artefacts'
import { useModelReport } from '../api/get-report'
import type { Artefact } from '../api/types'
import { CompressionTab } from '../components/compression-tab'
import { DistillDialog } from '../components/distill-dialog'
import { ExportDialog } from '../components/export-dialog'
import { ExportList } from '../components/export-list'
import { MeasuredOnDevices } from '../components/measured-on-devices'
import { ModelFiles } from '../components/model-files'
import { ModelLineage } from '../components/model-lineage'
import { PromoteDialog } from '../components/promote-dialog'
import { useCompressedName } from '../components/use-compressed-name'
import { ReportView } from '../components/report-view'

const TABS = ['report', 'lineage', 'compression', 'exports', 'files'] as const

/** One model: its report, where it comes from, and what can be done with it. */
export function Component() {
  const { artefact: id = '' } = useParams()
  const artefact = useArtefact(id)
  if (artefact.isPending) return <LoadingPage />
  if (artefact.isLoadingError) return <ErrorState error={artefact.error} onRetry={() => void artefact.refetch()} />
  return <ModelPage artefact={artefact.data} />
}

function ModelPage({ artefact }: { artefact: Artefact }) {
  const { t } = useTranslation('models')
  const [search, setSearch] = useSearchParams()
  const [isExporting, exporting] = useDisclosure()
  const tab = TABS.find((name) => name === search.get('tab')) ?? 'report'
  const show = (name: string) => setSearch(name === 'report' ? {} : { tab: name }, { replace: true })
  const modelName = useModelName()
  const compressedName = useCompressedName()
  const name = t('name', { number: artefact.number })
  return (
    <>
      <PageHeader
        name={name}
        title={
          <>
            {name} {artefact.stage !== 'none' && <StateBadge state={artefact.stage} />}
          </>
        }
        subtitle={compressedName(modelName(artefact.family, artefact.size, artefact.num_members), artefact)}
        actions={<ModelActions artefact={artefact} onExport={exporting.open} />}
      />
      <Tabs value={tab} onChange={(name) => name && show(name)} keepMounted={false}>
        <Tabs.List mb="md">
          {TABS.filter((name) => name !== 'compression' || artefact.compresses || artefact.compressed).map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`tab.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="report">
          <ReportTab artefact={artefact} />
        </Tabs.Panel>
        <Tabs.Panel value="lineage">
          <ModelLineage artefact={artefact} />
        </Tabs.Panel>
        <Tabs.Panel value="compression">
          <CompressionTab artefact={artefact} />
        </Tabs.Panel>
        <Tabs.Panel value="exports">
          <Stack>
            <ExportList artefact={artefact} onCreate={exporting.open} />
            <MeasuredOnDevices artefact={artefact} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="files">
          <ModelFiles artefact={artefact} />
        </Tabs.Panel>
      </Tabs>
      {isExporting && (
        <ExportDialog
          artefact={artefact}
          onClose={exporting.close}
          onStarted={() => {
            exporting.close()
            show('exports')
          }}
        />
      )}
    </>
  )
}

function ReportTab({ artefact }: { artefact: Artefact }) {
  const report = useModelReport(artefact.id)
  const task = useTask()
  const metrics = useMetrics()
  if (report.isPending || task.isPending) return <LoadingState />
  if (report.isLoadingError) return <ErrorState error={report.error} onRetry={() => void report.refetch()} />
  if (task.isLoadingError) return <ErrorState error={task.error} onRetry={() => void task.refetch()} />
  return <ReportView artefact={artefact} report={report.data} metrics={metrics} charts={task.data?.ui.report_charts ?? []} />
}

function ModelActions({ artefact, onExport }: { artefact: Artefact; onExport: () => void }) {
  const { t } = useTranslation('models')
  const canWrite = useHasRole('engineer')
  const [isPromoting, promoting] = useDisclosure()
  const [isTeaching, teaching] = useDisclosure()
  const base = `/projects/${artefact.project}`
  return (
    <>
      <Button
        component={Link}
        to={`${base}/models/compare?left=${artefact.id}`}
        variant="default"
        leftSection={<IconArrowsDiff size={16} />}
      >
        {t('compare')}
      </Button>
      {canWrite && (
        <>
          <Button variant="default" onClick={promoting.open}>
            {t('promote.button')}
          </Button>
          {artefact.teaches && (
            <Button variant="default" leftSection={<IconSchool size={16} />} onClick={teaching.open}>
              {t('distill.button')}
            </Button>
          )}
          <Button variant="default" leftSection={<IconPackageExport size={16} />} onClick={onExport}>
            {t('export')}
          </Button>
          <Button component={Link} to={`${base}/deployments?artefact=${artefact.id}`} leftSection={<IconRocket size={16} />}>
            {t('deploy')}
          </Button>
        </>
      )}
      {isTeaching && <DistillDialog artefact={artefact} onClose={teaching.close} />}
      {isPromoting && <PromoteDialog artefact={artefact} onClose={promoting.close} />}
    </>
  )
}
