import { Badge, Group, Switch, Text, Tooltip } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useAnswerKind } from '../../../answers'
import { useItemKind } from '../../../items'
import { formatFraction, formatLatency } from '../../../charts/format/format'
import { type Column, DataTable } from '../../../ui/data-table'
import { ErrorState } from '../../../ui/error-state'
import { LoadMore } from '../../../ui/load-more'
import { LoadingState } from '../../../ui/loading-state'
import { RelativeTime } from '../../../ui/relative-time'
import { Section } from '../../../ui/section'
import { useCalls } from '../api/get-deployments'
import type { Call } from '../api/types'
import { useCodeWord } from './use-code-word'

/** Who was answered what, newest first. */
export function CallLog({ deployment }: { deployment: string }) {
  const { t } = useTranslation('deployments')
  const [hasTryOuts, setHasTryOuts] = useState(false)
  const calls = useCalls(deployment, hasTryOuts)
  const columns = useColumns()
  const rows = calls.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Section
      title={t('log.title')}
      actions={
        <Switch size="xs" label={t('log.try_outs')} checked={hasTryOuts} onChange={(event) => setHasTryOuts(event.currentTarget.checked)} />
      }
    >
      {calls.isPending && <LoadingState rows={3} />}
      {calls.isLoadingError && <ErrorState error={calls.error} onRetry={() => void calls.refetch()} />}
      {calls.data && rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {t(hasTryOuts ? 'log.empty' : 'log.empty_outside')}
        </Text>
      )}
      {rows.length > 0 && <DataTable caption={t('log.title')} columns={columns} rows={rows} rowKey={(call) => call.id} />}
      <LoadMore query={calls} />
    </Section>
  )
}

/** Why a call was refused, in words; pointing at it shows the code that the caller got. */
function Refusal({ code }: { code: string }) {
  const word = useCodeWord()
  return (
    <Tooltip label={code} position="top-start">
      <Text span inherit c="dimmed" tabIndex={0}>
        {word(code)}
      </Text>
    </Tooltip>
  )
}

function useColumns(): Column<Call>[] {
  const { t } = useTranslation('deployments')
  const { logColumn } = useItemKind()
  const { hasUncertainty, callText } = useAnswerKind()
  const uncertainty: Column<Call> = {
    key: 'uncertainty',
    title: t('log.uncertainty'),
    width: 120,
    align: 'right',
    render: (call) => formatFraction(call.uncertainty, 0),
  }
  return [
    {
      key: 'at',
      title: t('log.at'),
      width: 160,
      render: (call) => (
        <Group gap={6}>
          <RelativeTime value={call.at} />
          {call.is_try_out && <Badge color="gray">{t('log.try_out')}</Badge>}
        </Group>
      ),
    },
    {
      key: 'status',
      title: t('log.status'),
      width: 80,
      render: (call) => <Badge color={call.status < 400 ? 'teal' : 'red'}>{call.status}</Badge>,
    },
    { key: 'answer', title: t('log.answer'), render: (call) => (call.code ? <Refusal code={call.code} /> : callText(call)) },
    ...(hasUncertainty ? [uncertainty] : []),
    { key: 'pictures', title: t('log.pictures'), width: 90, align: 'right', render: (call) => call.num_pictures },
    { key: 'latency', title: t('log.latency'), width: 100, align: 'right', render: (call) => formatLatency(call.latency_ms) },
    {
      key: 'kept',
      ...logColumn,
      title: logColumn.title === null ? '' : t(logColumn.title),
      render: (call) => <logColumn.LoggedInput call={call} />,
    },
  ]
}
