import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'

import { useAnswerKind } from '../../../answers'
import { formatNumber } from '../../../lib/format'
import type { Project } from '../../../lib/api/types'
import { useProject } from '../../../lib/project/project'
import { useHasRole } from '../../../lib/session/session'
import { type Column, type Columns, useColumns } from '../../../lib/table/columns'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { LoadingPage } from '../../../ui/loading-page'
import { PageHeader } from '../../../ui/page-header'
import { Section } from '../../../ui/section'
import { useChangeColumns } from '../api/change-columns'
import { pairsInUse } from '../../../lib/table/in-use'
import { useProfile } from '../../../lib/table/profile'
import { useRunProfile } from '../api/profile'
import { ColumnDrawer } from '../components/column-drawer'
import { ColumnTable } from '../components/column-table'
import { ProfileState } from '../components/profile-state'
import { Relations } from '../components/relations'
import { TargetChoice } from '../components/target-choice'
import { TargetLine } from '../components/target-line'
import { Warnings } from '../components/warnings'
import { useLooking } from '../components/use-looking'
import { withColumn, withTarget } from '../model/changes'
import { columnLines } from '../model/profile'

/** What the columns of a table mean, which one is predicted, and what they look like. */
export function Component() {
  const { t } = useTranslation('columns')
  const project = useProject().data
  const columns = useColumns()
  if (columns.isLoadingError) return <ErrorState error={columns.error} onRetry={() => void columns.refetch()} />
  if (!project || columns.isPending) return <LoadingPage title={t('title')} />
  if (columns.data.columns.length === 0) {
    return (
      <>
        <PageHeader title={t('title')} />
        <EmptyState
          drawing="columns"
          title={t('empty.title')}
          action={
            <Button component={Link} to={`/projects/${project.id}/data`}>
              {t('empty.action')}
            </Button>
          }
        >
          {t('empty.text')}
        </EmptyState>
      </>
    )
  }
  return <ColumnsPage project={project} table={columns.data} />
}

function ColumnsPage({ project, table }: { project: Project; table: Columns }) {
  const { t } = useTranslation('columns')
  const { dataset } = project
  const canChange = useHasRole('engineer')
  const { target } = useAnswerKind()
  const [search, setSearch] = useSearchParams()
  const [isAsking, setAsking] = useState(false)
  const change = useChangeColumns(dataset)
  const profile = useProfile(dataset)
  const run = useRunProfile(dataset)
  const found = profile.data?.profile ?? null
  const looking = useLooking({ table, profile: profile.data, canChange, look: run.mutate })
  const opened = search.get('column')
  const open = (name: string | null) => setSearch(name === null ? {} : { column: name }, { replace: true })
  const setColumn = (name: string, changes: Partial<Column>) => change.mutate({ change: withColumn(name, changes) })
  const setTarget = (name: string, keepsAnnotations = true) => {
    setAsking(true)
    looking.ask()
    change.mutate({ change: withTarget(name), keepsAnnotations }, { onSettled: () => setAsking(false) })
  }
  const line = columnLines(table.columns, found?.columns ?? [], found?.warnings ?? [], 'file', '').find(
    ({ column }) => column.name === opened,
  )
  return (
    <>
      <PageHeader title={t('title')} subtitle={<Counts table={table} num_rows={found?.num_rows} />} />
      {target && table.target === null && canChange && (
        <TargetChoice table={table} target={target} isBusy={isAsking} onChoose={(name) => setTarget(name)} />
      )}
      <TargetLine table={table} kinds={target?.kinds ?? []} canChange={canChange} isBusy={isAsking} onChange={setTarget} />
      {profile.isLoadingError && <ErrorState error={profile.error} onRetry={() => void profile.refetch()} />}
      {profile.data && (
        <ProfileState profile={profile.data} canRun={canChange} isDue={looking.isDue} isBusy={run.isPending} onRun={() => run.mutate()} />
      )}
      <Stack>
        {found && (
          <Warnings
            warnings={found.warnings}
            columns={table.columns}
            canChange={canChange}
            onRole={(name, role) => setColumn(name, { role })}
            onOpen={open}
          />
        )}
        <Section title={t('list.title')} help={t('list.help')}>
          <ColumnTable
            columns={table.columns}
            profiles={found?.columns ?? []}
            warnings={found?.warnings ?? []}
            canChange={canChange}
            onChange={setColumn}
            onOpen={open}
          />
        </Section>
        {found && <Relations pairs={pairsInUse(found.correlations, table.columns)} />}
      </Stack>
      <ColumnDrawer line={line ?? null} canChange={canChange} onChange={setColumn} onClose={() => open(null)} />
    </>
  )
}

function Counts({ table, num_rows }: { table: Columns; num_rows: number | undefined }) {
  const { t } = useTranslation('columns')
  const ignored = table.columns.filter(({ role }) => role === 'ignored').length
  return (
    <Group gap="0 16px">
      <Text span inherit>
        {t('counts.columns', { count: table.columns.length })}
      </Text>
      {ignored > 0 && (
        <Text span inherit>
          {t('counts.ignored', { count: ignored })}
        </Text>
      )}
      {num_rows !== undefined && (
        <Text span inherit>
          {t('counts.rows', { count: num_rows, shown: formatNumber(num_rows) })}
        </Text>
      )}
    </Group>
  )
}
