import { ActionIcon, Group, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { IconArrowsExchange, IconEqual } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'

import { useItemKind } from '../../../items'
import { useVersionNote } from '../../../lib/dataset/version-note'
import { useLabelName } from '../../../lib/labels/use-label-name'
import { useProjectId } from '../../../lib/project/project'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { LoadMore } from '../../../ui/load-more'
import { PageHeader } from '../../../ui/page-header'
import { Section } from '../../../ui/section'
import { useDiff, useDiffItems, WORKING } from '../api/diff'
import { useVersions } from '../api/get-versions'
import type { Diff, DiffKind } from '../api/types'
import { BackToVersions } from '../components/back-to-versions'
import { DiffItems } from '../components/diff-items'
import { DiffRows } from '../components/diff-rows'
import { DiffSummary } from '../components/diff-summary'

const KINDS: readonly DiffKind[] = ['added', 'removed', 'changed']

/** Two versions, or a version and the data as it is now, side by side. */
export function Component() {
  const { t } = useTranslation('versions')
  const project = useProjectId()
  const [search, setSearch] = useSearchParams()
  const newest = useVersions(project).data?.pages[0]?.items[0]?.id
  const before = search.get('before') ?? newest ?? ''
  const after = search.get('after') ?? WORKING
  const diff = useDiff(project, before, after)
  const set = (changes: Record<string, string | null>) =>
    setSearch((old) => {
      for (const [name, value] of Object.entries(changes)) {
        if (value) old.set(name, value)
        else old.delete(name)
      }
      return old
    })
  return (
    <>
      <PageHeader title={t('diff.title')} subtitle={t('diff.lead')} actions={<BackToVersions />} />
      <Stack>
        <Group align="flex-end" gap="xs">
          <StateSelect project={project} label={t('diff.before')} value={before} onChange={(value) => set({ before: value })} />
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t('diff.swap')}
            title={t('diff.swap')}
            onClick={() => set({ before: after, after: before })}
          >
            <IconArrowsExchange size={16} />
          </ActionIcon>
          <StateSelect project={project} label={t('diff.after')} value={after} onChange={(value) => set({ after: value })} />
        </Group>
        {before === '' && <EmptyState title={t('diff.choose')} />}
        {before !== '' && diff.isPending && <LoadingState />}
        {diff.isLoadingError && <ErrorState error={diff.error} onRetry={() => void diff.refetch()} />}
        {diff.data && <Differences key={`${before} ${after}`} diff={diff.data} before={before} after={after} set={set} />}
      </Stack>
    </>
  )
}

interface StateSelectProps {
  project: string
  label: string
  value: string
  onChange: (value: string | null) => void
}

function StateSelect({ project, label, value, onChange }: StateSelectProps) {
  const { t } = useTranslation('versions')
  const noteOf = useVersionNote()
  const versions = useVersions(project)
  const listed = versions.data?.pages.flatMap((page) => page.items) ?? []
  const options = [
    { value: WORKING, label: t('diff.working') },
    ...listed.map((version) => ({
      value: version.id,
      label: [t('name', { number: version.number }), version.branch, noteOf(version)].filter(Boolean).join(' · '),
    })),
  ]
  // A version beyond the first page of the list is still named, by its id.
  if (value && !options.some((option) => option.value === value)) options.push({ value, label: value })
  return (
    <Select label={label} data={options} value={value || null} onChange={onChange} searchable allowDeselect={false} w={280} maw="100%" />
  )
}

interface DifferencesProps {
  diff: Diff
  before: string
  after: string
  set: (changes: Record<string, string | null>) => void
}

function Differences({ diff, before, after, set }: DifferencesProps) {
  const { t } = useTranslation('versions')
  if (diff.num_added + diff.num_removed + diff.num_changed === 0)
    return (
      <EmptyState icon={<IconEqual size={40} stroke={1.2} />} title={t('diff.same_title')}>
        {t('diff.same_text')}
      </EmptyState>
    )
  return (
    <>
      <DiffSummary diff={diff} />
      <Items diff={diff} before={before} after={after} set={set} />
    </>
  )
}

function Items({ diff, before, after, set }: DifferencesProps) {
  const { t } = useTranslation('versions')
  const labelName = useLabelName()
  const project = useProjectId()
  const [search] = useSearchParams()
  const { wall } = useItemKind()
  const kind = KINDS.find((one) => one === search.get('kind')) ?? null
  const label = search.get('label')
  const items = useDiffItems(project, before, after, { kind, label })
  const counts = { added: diff.num_added, removed: diff.num_removed, changed: diff.num_changed }
  const shown = items.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Section
      title={t('gallery')}
      actions={
        <Group gap="xs">
          <SegmentedControl
            size="xs"
            aria-label={t('diff.filter_kind')}
            value={kind ?? 'all'}
            onChange={(value) => set({ kind: value === 'all' ? null : value })}
            data={[
              { value: 'all', label: t('diff.all') },
              ...KINDS.map((one) => ({ value: one, label: `${t(`diff.kind.${one}`)} ${counts[one]}` })),
            ]}
          />
          <Select
            size="xs"
            w={180}
            clearable
            searchable
            aria-label={t('diff.filter_label')}
            placeholder={t('diff.filter_label')}
            value={label}
            onChange={(value) => set({ label: value })}
            data={diff.labels.map((one) => ({ value: one.label, label: labelName(one.label) }))}
          />
        </Group>
      }
    >
      {items.isPending && <LoadingState rows={2} height={100} />}
      {items.isLoadingError && <ErrorState error={items.error} onRetry={() => void items.refetch()} />}
      {items.data && shown.length === 0 && (
        <Text size="sm" c="dimmed" ta="center" py="lg">
          {t('diff.none_match')}
        </Text>
      )}
      {wall.form === 'sheet' ? (
        shown.length > 0 && <DiffRows key={`${kind} ${label}`} before={before} after={after} items={items} />
      ) : (
        <>
          <DiffItems items={shown} />
          <LoadMore query={items} />
        </>
      )}
    </Section>
  )
}
