import { Anchor, Badge, Code, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatAmount, formatFraction, formatLatency } from '../../../charts/format/format'
import { useModality, usePredictsNumber } from '../../../lib/project/task'
import { type Column, DataTable } from '../../../ui/data-table'
import { ErrorState } from '../../../ui/error-state'
import { LoadMore } from '../../../ui/load-more'
import { LoadingState } from '../../../ui/loading-state'
import { RelativeTime } from '../../../ui/relative-time'
import { Section } from '../../../ui/section'
import { useCalls } from '../api/get-deployments'
import type { Call } from '../api/types'

/** Who was answered what, newest first. */
export function CallLog({ deployment }: { deployment: string }) {
  const { t } = useTranslation('deployments')
  const calls = useCalls(deployment)
  const columns = useColumns()
  const rows = calls.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Section title={t('log.title')}>
      {calls.isPending && <LoadingState rows={3} />}
      {calls.isLoadingError && <ErrorState error={calls.error} onRetry={() => void calls.refetch()} />}
      {calls.data && rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('log.empty')}
        </Text>
      )}
      {rows.length > 0 && <DataTable caption={t('log.title')} columns={columns} rows={rows} rowKey={(call) => call.id} />}
      <LoadMore query={calls} />
    </Section>
  )
}

function useColumns(): Column<Call>[] {
  const { t } = useTranslation('deployments')
  const modality = useModality()
  const isNumber = usePredictsNumber()
  const kept: Column<Call> =
    modality === 'tabular'
      ? { key: 'kept', title: t('log.row'), width: '34%', render: (call) => call.input_row != null && <KeptRow call={call} /> }
      : modality === 'text'
        ? { key: 'kept', title: t('log.text'), width: '34%', render: (call) => call.input_text !== null && <KeptText call={call} /> }
        : { key: 'kept', title: '', width: 90, align: 'right', render: (call) => <KeptPicture call={call} /> }
  const uncertainty: Column<Call> = {
    key: 'uncertainty',
    title: t('log.uncertainty'),
    width: 120,
    align: 'right',
    render: (call) => formatFraction(call.uncertainty, 0),
  }
  return [
    { key: 'at', title: t('log.at'), width: 160, render: (call) => <RelativeTime value={call.at} /> },
    {
      key: 'status',
      title: t('log.status'),
      width: 80,
      render: (call) => <Badge color={call.status < 400 ? 'teal' : 'red'}>{call.status}</Badge>,
    },
    { key: 'answer', title: t('log.answer'), render: (call) => (call.code ? <Code>{call.code}</Code> : answerWords(call)) },
    // A number says nothing of how unsure it is.
    ...(isNumber ? [] : [uncertainty]),
    { key: 'pictures', title: t('log.pictures'), width: 90, align: 'right', render: (call) => call.num_pictures },
    { key: 'latency', title: t('log.latency'), width: 100, align: 'right', render: (call) => formatLatency(call.latency_ms) },
    kept,
  ]
}

function KeptPicture({ call }: { call: Call }) {
  const { t } = useTranslation('deployments')
  return (
    call.input_url && (
      <Anchor href={call.input_url} size="xs">
        {t('log.kept')}
      </Anchor>
    )
  )
}

/** The beginning of a kept text; it leads to the whole. */
function KeptText({ call }: { call: Call }) {
  const words = (
    <Text size="xs" lineClamp={2} dir="auto" style={{ overflowWrap: 'anywhere' }}>
      {call.input_text}
    </Text>
  )
  if (!call.input_url) return words
  return (
    <Anchor href={call.input_url} target="_blank" rel="noreferrer" c="inherit">
      {words}
    </Anchor>
  )
}

/** The first cells of a kept row; it leads to the whole. */
function KeptRow({ call }: { call: Call }) {
  const words = (
    <Text size="xs" lineClamp={2} dir="auto" style={{ overflowWrap: 'anywhere' }}>
      {Object.entries(call.input_row ?? {})
        .map(([name, cell]) => `${name} ${cell}`)
        .join(' · ')}
    </Text>
  )
  if (!call.input_url) return words
  return (
    <Anchor href={call.input_url} target="_blank" rel="noreferrer" c="inherit">
      {words}
    </Anchor>
  )
}

function answerWords(call: Call): string {
  const numbers = (call.values ?? []).filter((value) => value !== null)
  if (numbers.length) return numbers.map((value) => formatAmount(value)).join(', ')
  return call.top.map((top) => (top ? `${top.label} ${formatFraction(top.score)}` : '–')).join(', ')
}
