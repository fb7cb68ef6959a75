import { Badge, Button, NavLink, Text } from '@mantine/core'
import { IconArchive, IconChartBar, IconHistory, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'

import { useAnswerKind } from '../../../answers'
import { useItemKind } from '../../../items'
import { useSummary } from '../../../lib/dataset/summary'
import { useProject } from '../../../lib/project/project'
import { useHasRole } from '../../../lib/session/session'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { LoadingPage } from '../../../ui/loading-page'
import { PageHeader } from '../../../ui/page-header'
import { RelativeTime } from '../../../ui/relative-time'
import { isRunning, type Kind, type Quality, useQuality, useRunQuality } from '../api/quality'
import { Findings } from '../components/findings'
import { History } from '../components/history'
import { Overview } from '../components/overview'
import { Quarantined } from '../components/quarantined'
import classes from '../components/quality.module.css'
import { RunState } from '../components/run-state'
import { countsOf, inOrder } from '../model/kinds'

/** What is wrong with the pictures and labels, with the evidence, and one click to mend it. */
export function Component() {
  const { t } = useTranslation('quality')
  const dataset = useProject().data?.dataset ?? ''
  const quality = useQuality(dataset)
  const run = useRunQuality(dataset)
  const canAct = useHasRole('engineer')
  const summary = useSummary(dataset)
  if (quality.isLoadingError) return <ErrorState error={quality.error} onRetry={() => void quality.refetch()} />
  if (quality.isPending) return <LoadingPage title={t('title')} subtitle={t('lead')} />
  const { report, job } = quality.data
  const start = canAct && (
    <Button
      leftSection={<IconRefresh size={16} />}
      variant={report && quality.data.num_added + quality.data.num_labelled === 0 ? 'default' : 'filled'}
      disabled={isRunning(job)}
      loading={run.isPending}
      onClick={() => run.mutate()}
    >
      {t(report ? 'run_again' : 'run')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('title')} subtitle={<Subtitle quality={quality.data} />} actions={report ? start : undefined} />
      {job && <RunState job={job} canAct={canAct} />}
      {report ? (
        <Report quality={quality.data} report={report} canAct={canAct} />
      ) : (
        !isRunning(job) && <NotChecked isEmpty={summary.data?.items === 0} start={start} />
      )}
    </>
  )
}

/** No report yet: there may be nothing to check at all. */
function NotChecked({ isEmpty, start }: { isEmpty: boolean; start: ReactNode }) {
  const { t } = useTranslation('quality')
  const upload = (
    <Button component={Link} to="../data">
      {t('nothing.action')}
    </Button>
  )
  return (
    <EmptyState drawing="quality" title={t(isEmpty ? 'nothing.title' : 'empty_title')} action={isEmpty ? upload : start}>
      {t(isEmpty ? 'nothing.text' : 'empty_text')}
    </EmptyState>
  )
}

function Subtitle({ quality }: { quality: Quality }) {
  const { t } = useTranslation('quality')
  if (!quality.report || !quality.reported_at) return t('lead')
  return (
    <>
      {t('checked', { count: quality.report.num_items })} <RelativeTime value={quality.reported_at} />
      {quality.num_added > 0 && ` · ${t('added', { count: quality.num_added })}`}
      {quality.num_labelled > 0 && ` · ${t('labelled', { count: quality.num_labelled })}`}
    </>
  )
}

interface ReportProps {
  quality: Quality
  report: NonNullable<Quality['report']>
  canAct: boolean
}

function Report({ quality, report, canAct }: ReportProps) {
  const { t } = useTranslation('quality')
  const [address, setAddress] = useSearchParams()
  const { isOfWhole } = useAnswerKind()
  const shown = address.get('show') ?? 'overview'
  const show = (name: string) => setAddress(name === 'overview' ? {} : { show: name })
  const open = (name: Kind) => ({ count: quality.num_open[name] ?? 0, onShow: () => show(name) })
  const kinds = inOrder(useItemKind().findings)
  const kind = kinds.find((one) => one === shown)
  const link = (name: string, label: string, icon: ReactNode) => (
    <NavLink component="button" active={shown === name} label={label} leftSection={icon} onClick={() => show(name)} />
  )
  return (
    <div className={classes.layout}>
      <nav className={classes.kinds} aria-label={t('title')}>
        {link('overview', t('overview'), <IconChartBar size={16} />)}
        <Text size="xs" c="dimmed" fw={600} mt="sm" mb={4} px="sm">
          {t('findings')}
        </Text>
        {countsOf(quality.num_open, kinds)
          .filter(({ kind: one }) => isOfWhole || one !== 'wrong_label')
          .map(({ kind: one, count }) => (
            <NavLink
              key={one}
              component="button"
              active={shown === one}
              label={t(`kind.${one}.title`)}
              c={count === 0 && shown !== one ? 'dimmed' : undefined}
              rightSection={<Count kind={one} count={count} />}
              onClick={() => show(one)}
            />
          ))}
        <Text size="xs" c="dimmed" fw={600} mt="sm" mb={4} px="sm">
          {t('done_title')}
        </Text>
        {link('quarantine', t('quarantine.title'), <IconArchive size={16} />)}
        {link('history', t('history.title'), <IconHistory size={16} />)}
      </nav>
      <div style={{ minWidth: 0 }}>
        {kind && <Findings key={kind} dataset={quality.dataset} kind={kind} canAct={canAct} count={quality.num_open[kind] ?? 0} />}
        {shown === 'overview' && <Overview report={report} leaks={open('leak')} doubts={open('wrong_label')} />}
        {shown === 'quarantine' && <Quarantined dataset={quality.dataset} canAct={canAct} />}
        {shown === 'history' && <History dataset={quality.dataset} canAct={canAct} />}
      </div>
    </div>
  )
}

const GRAVE: ReadonlySet<Kind> = new Set(['leak', 'wrong_label', 'unreadable', 'garbled'])

function Count({ kind, count }: { kind: Kind; count: number }) {
  if (count === 0) return null
  return (
    <Badge size="sm" variant="light" color={GRAVE.has(kind) ? 'red' : 'gray'} className={classes.count}>
      {count}
    </Badge>
  )
}
