import { Alert, Anchor, Button, Group, Menu, Select, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconDownload, IconShieldCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { useLocalText } from '../../../lib/local-text'
import { DataTable } from '../../../ui/data-table'
import { DayField } from '../../../ui/day-field'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { LoadMore } from '../../../ui/load-more'
import { LoadingState } from '../../../ui/loading-state'
import { RelativeTime } from '../../../ui/relative-time'
import {
  type AuditFilter,
  auditQuery,
  type AuditTopic,
  useAudit,
  useAuditActors,
  useAuditProjects,
  useAuditVerified,
} from '../api/settings'

const TOPICS: AuditTopic[] = ['security', 'projects', 'data', 'labels', 'models', 'deployments']
const NO_FILTER: AuditFilter = { actor: null, topic: null, project: null, since: null, until: null }

/** Who did what, and when; and whether the log is as it was written. */
export function Audit({ workspace }: { workspace: string }) {
  const { t } = useTranslation('settings')
  const [filter, setFilter] = useState(NO_FILTER)
  const audit = useAudit(workspace, filter)
  const isFiltered = Object.values(filter).some((value) => value !== null)
  const rows = audit.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Stack maw={1080}>
      <Verified workspace={workspace} />
      <Filter workspace={workspace} filter={filter} onChange={setFilter} />
      {audit.isPending && <LoadingState />}
      {audit.isLoadingError && <ErrorState error={audit.error} onRetry={() => void audit.refetch()} />}
      {audit.data && rows.length === 0 && <EmptyState title={t(isFiltered ? 'audit.nothing_found' : 'audit.empty')} />}
      {rows.length > 0 && <Rows rows={rows} />}
      <LoadMore query={audit} />
    </Stack>
  )
}

type Row = NonNullable<ReturnType<typeof useAudit>['data']>['pages'][number]['items'][number]

function Rows({ rows }: { rows: Row[] }) {
  const { t } = useTranslation('settings')
  const inWords = useLocalText()
  return (
    <DataTable
      caption={t('audit.title')}
      rows={rows}
      rowKey={(row) => row.id}
      columns={[
        { key: 'at', title: t('audit.at'), width: 140, render: (row) => <RelativeTime value={row.at} /> },
        { key: 'actor', title: t('audit.actor'), width: 150, render: (row) => row.actor.name },
        { key: 'project', title: t('audit.project'), width: 160, render: (row) => row.project && <Project project={row.project} /> },
        {
          key: 'action',
          isName: true,
          title: t('audit.action'),
          render: (row) => (
            <>
              <Text size="sm">{inWords(row.text)}</Text>
              {row.address && (
                <Text size="xs" c="dimmed">
                  {t('audit.from_address', { address: row.address })}
                </Text>
              )}
            </>
          ),
        },
        {
          key: 'detail',
          title: t('audit.detail'),
          width: '36%',
          render: (row) => (
            <>
              {row.thing && <Text size="sm">{inWords(row.thing)}</Text>}
              {row.facts.map((fact) => (
                <Text key={fact.label.en} size="xs" c="dimmed" lineClamp={2} title={inWords(fact.value)}>
                  {t('audit.fact', { label: inWords(fact.label), value: inWords(fact.value) })}
                </Text>
              ))}
            </>
          ),
        },
      ]}
    />
  )
}

/** Where a row's work was done; the page of a deleted project is gone. */
function Project({ project }: { project: NonNullable<Row['project']> }) {
  const name = useProjectName()(project)
  if (project.is_deleted) return name
  return (
    <Anchor component={Link} to={`/projects/${project.id}`} fz="sm">
      {name}
    </Anchor>
  )
}

function useProjectName() {
  const { t } = useTranslation('settings')
  return ({ name, is_deleted }: Pick<NonNullable<Row['project']>, 'name' | 'is_deleted'>) =>
    is_deleted ? t('audit.deleted', { name }).trim() : name
}

interface FilterProps {
  workspace: string
  filter: AuditFilter
  onChange: (filter: AuditFilter) => void
}

function Filter({ workspace, filter, onChange }: FilterProps) {
  const { t, i18n } = useTranslation('settings')
  const actors = useAuditActors(workspace)
  const projects = useAuditProjects(workspace)
  const nameOf = useProjectName()
  const address = (form: 'csv' | 'jsonl') => {
    const query = new URLSearchParams({ ...auditQuery(filter), form, language: i18n.language.startsWith('zh') ? 'zh' : 'en' })
    return `/api/workspaces/${workspace}/audit/export?${query.toString()}`
  }
  return (
    <Group align="flex-end">
      <Select
        label={t('audit.actor')}
        placeholder={t('audit.everybody')}
        clearable
        searchable
        w={200}
        data={(actors.data ?? []).map((actor) => ({ value: actor.id, label: actor.name }))}
        value={filter.actor}
        onChange={(actor) => onChange({ ...filter, actor })}
      />
      <Select
        label={t('audit.project')}
        placeholder={t('audit.all_projects')}
        clearable
        searchable
        w={200}
        data={(projects.data ?? []).map((project) => ({ value: project.id, label: nameOf(project) }))}
        value={filter.project}
        onChange={(project) => onChange({ ...filter, project })}
      />
      <Select
        label={t('audit.action')}
        placeholder={t('audit.everything')}
        clearable
        w={200}
        data={TOPICS.map((topic) => ({ value: topic, label: t(`audit.topics.${topic}`) }))}
        value={filter.topic}
        onChange={(topic) => onChange({ ...filter, topic: topic as AuditTopic | null })}
      />
      {(['since', 'until'] as const).map((edge) => (
        <DayField key={edge} label={t(`audit.${edge}`)} value={filter[edge]} onChange={(day) => onChange({ ...filter, [edge]: day })} />
      ))}
      <Menu>
        <Menu.Target>
          <Button variant="default" leftSection={<IconDownload size={16} />}>
            {t('audit.export')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {(['csv', 'jsonl'] as const).map((form) => (
            <Menu.Item key={form} component="a" href={address(form)} download>
              {t(`audit.export_${form}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}

/** Whether the chain of hashes holds. */
function Verified({ workspace }: { workspace: string }) {
  const { t } = useTranslation('settings')
  const verified = useAuditVerified(workspace).data
  if (!verified) return null
  if (verified.is_whole)
    return (
      <Group gap={6} title={t('audit.verified_text')}>
        <IconShieldCheck size={18} color="var(--mantine-color-teal-6)" />
        <Text size="sm">{t('audit.verified', { count: verified.num_rows })}</Text>
      </Group>
    )
  return (
    <Alert color="red" icon={<IconAlertTriangle size={16} />} title={t('audit.broken', { seq: verified.seq })}>
      {t(`audit.broken_${verified.fault ?? 'changed'}`)}
    </Alert>
  )
}
