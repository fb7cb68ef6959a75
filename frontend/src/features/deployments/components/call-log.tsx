import { Badge, Group, Switch, Text, Tooltip } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useAnswerKind } from '../../../answers'
import { useItemKind } from '../../../items'
import { formatFraction, formatLatency, formatNumber } from '../../../charts/format/format'
import { type Column, DataTable } from '../../../ui/data-table'
import { ErrorState } from '../../../ui/error-state'
import { LoadMore } from '../../../ui/load-more'
import { LoadingState } from '../../../ui/loading-state'
import { RelativeTime } from '../../../ui/relative-time'
import { Section } from '../../../ui/section'
import { useCalls } from '../api/get-deployments'
import type { Call } from '../api/types'
import { useModelLabel } from './model-label'
import { useCodeWord } from './use-code-word'

/** Who was answered what, newest first. */
export function CallLog({ deployment, project }: { deployment: string; project: string }) {
  const { t } = useTranslation('deployments')
  const [hasTryOuts, setHasTryOuts] = useState(false)
  const calls = useCalls(deployment, hasTryOuts)
  const rows = calls.data?.pages.flatMap((page) => page.items) ?? []
  const columns = useColumns(project, rows)
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

/** What turned out to be true of a call, and whether the model was right. */
function Truths({ call }: { call: Call }) {
  const { t } = useTranslation('deployments')
  if (call.feedback.length === 0) return null
  const numRight = call.feedback.filter(({ loss }) => loss === 0).length
  const isRight = numRight === call.feedback.length
  const [only] = call.feedback
  return (
    <Badge color={isRight ? 'teal' : 'red'} variant="light" tt="none">
      {call.feedback.length > 1
        ? t('log.right_of', { right: numRight, count: call.feedback.length })
        : isRight
          ? t('log.right')
          : t('log.true_was', { truth: only?.label ?? formatNumber(only?.value ?? null) })}
    </Badge>
  )
}

function useColumns(project: string, rows: readonly Call[]): Column<Call>[] {
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
  const modelLabel = useModelLabel(project)
  const model: Column<Call> = { key: 'model', title: t('log.model'), width: 200, render: (call) => modelLabel(call.artefact) }
  const truth: Column<Call> = { key: 'feedback', title: t('log.feedback'), width: 130, render: (call) => <Truths call={call} /> }
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
    ...(rows.some(({ feedback }) => feedback.length > 0) ? [truth] : []),
    ...(new Set(rows.map(({ artefact }) => artefact)).size > 1 ? [model] : []),
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
