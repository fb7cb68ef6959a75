import { Button, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'

import type { Job } from '../../../lib/api/types'
import { useProjectId } from '../../../lib/project/project'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { LoadMore } from '../../../ui/load-more'
import { LoadingState } from '../../../ui/loading-state'
import { PageHeader } from '../../../ui/page-header'
import { useJobs } from '../api/jobs'
import { JobDrawer } from '../components/job-drawer'
import { JobTable } from '../components/job-table'

const FILTERS = ['all', 'running', 'queued', 'failed', 'succeeded', 'cancelled'] as const

/** Every background action of the project: progress, log, cancel, and why it failed. */
export function Component() {
  const { t } = useTranslation('jobs')
  const project = useProjectId()
  const [filter, setFilter] = useState<string>('all')
  const [search, setSearch] = useSearchParams()
  const shown = search.get('job')
  const setShown = (job: string | null) => setSearch(job ? { job } : {}, { replace: true })
  const jobs = useJobs(project, filter === 'all' ? null : (filter as Job['state']))
  const rows = jobs.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      <PageHeader title={t('title')} subtitle={t('subtitle')} />
      <SegmentedControl
        size="xs"
        mb="sm"
        tt="capitalize"
        value={filter}
        onChange={setFilter}
        data={FILTERS.map((value) => ({ value, label: value === 'all' ? t('all') : t(`common:state.${value}`) }))}
      />
      {jobs.isPending && <LoadingState />}
      {jobs.isLoadingError && <ErrorState error={jobs.error} onRetry={() => void jobs.refetch()} />}
      {jobs.data && rows.length === 0 && (
        <EmptyState
          drawing="jobs"
          title={t(filter === 'all' ? 'empty.title' : 'empty.filtered')}
          action={
            filter === 'all' ? (
              <Button component={Link} to={`/projects/${project}/data`}>
                {t('empty.action')}
              </Button>
            ) : (
              <Button variant="default" onClick={() => setFilter('all')}>
                {t('empty.show_all')}
              </Button>
            )
          }
        >
          {t('empty.text')}
        </EmptyState>
      )}
      {rows.length > 0 && <JobTable jobs={rows} onOpen={(job) => setShown(job.id)} />}
      <LoadMore query={jobs} />
      <JobDrawer job={rows.find((job) => job.id === shown) ?? null} onClose={() => setShown(null)} />
    </>
  )
}
