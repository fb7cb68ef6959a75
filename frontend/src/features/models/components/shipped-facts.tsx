import { Alert, Anchor, Stack, Table, Text } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { formatFraction, formatMetric, formatNumber } from '../../../charts/format/format'
import { useModelName } from '../../../lib/project/task'
import { Term } from '../../../ui/term'
import type { Artefact, Report } from '../api/types'

interface ShippedFactsProps {
  artefact: Artefact
  report: Report
  objective: string
}

/** Whose numbers the report shows when the model that is shipped has learned once more since. */
export function ShippedNote({ report }: { report: Report }) {
  const { t } = useTranslation('models')
  const { shipped } = report
  if (!shipped) return null
  const count = shipped.num_more
  if (count === 0 && !shipped.learned.includes('test')) return null
  return (
    <Alert variant="light" icon={<IconInfoCircle size={18} />}>
      <Text size="sm">
        {shipped.trials.length > 1 ? t('report:shipped.judged_mean', { count: shipped.trials.length }) : t('report:shipped.judged_one')}{' '}
        {count > 0 && t('report:shipped.more', { count, total: shipped.num_learned })}{' '}
        {shipped.learned.includes('test') && t('report:shipped.test')}
      </Text>
    </Alert>
  )
}

/** How the model was judged, how honest its scores are, and which judged models it comes from. */
export function ShippedFacts({ artefact, report, objective }: ShippedFactsProps) {
  const { t } = useTranslation('models')
  const modelName = useModelName()
  const { judgement, shipped } = report
  return (
    <Stack gap="sm">
      {judgement && (
        <Text size="sm">
          {t(judgement.by === 'folds' ? 'report:shipped.by_folds' : 'report:shipped.by_split', {
            count: judgement.num_items,
            folds: judgement.num_folds,
          })}
          {judgement.halted && ` ${t('report:shipped.halted')}`}
        </Text>
      )}
      {report.members.length > 0 && (
        <Text size="sm">
          {t('report:shipped.members')}{' '}
          {report.members.map((member, index) => (
            <span key={member.trial}>
              {index > 0 && ' · '}
              <Anchor component={Link} size="sm" to={`/projects/${artefact.project}/models/${member.artefact}`}>
                {t('report:shipped.member', { number: member.number + 1, name: modelName(member.family, member.size) })}
              </Anchor>
            </span>
          ))}
        </Text>
      )}
      {shipped && Object.keys(shipped.alone ?? {}).length > 0 && <AloneTable report={report} objective={objective} />}
      {report.tempering && <TemperingTable report={report} />}
    </Stack>
  )
}

/** The mean beside its first member. */
function AloneTable({ report, objective }: Pick<ShippedFactsProps, 'report' | 'objective'>) {
  const { t } = useTranslation('models')
  const alone: Record<string, Record<string, number>> = report.shipped?.alone ?? {}
  const names = [...new Set([objective, 'log_loss'])]
  const rows = report.splits.flatMap((split) =>
    names.map((name) => ({ split: split.split, name, one: alone[split.split]?.[name], mean: split.metrics[name] })),
  )
  return (
    <Table fz="sm" verticalSpacing={3} aria-label={t('report:shipped.alone')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th />
          <Table.Th ta="right">{t('report:shipped.first_alone')}</Table.Th>
          <Table.Th ta="right">{t('report:shipped.mean')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={`${row.split} ${row.name}`}>
            <Table.Td>
              {t('distill.measured', { metric: t(`charts:metric.${row.name}`, row.name), split: t(`charts:split.${row.split}`) })}
            </Table.Td>
            <Table.Td ta="right">{formatMetric(row.name, row.one)}</Table.Td>
            <Table.Td ta="right">{formatMetric(row.name, row.mean)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** How far scores are from the share of right answers, without and with the temperature. */
function TemperingTable({ report }: Pick<ShippedFactsProps, 'report'>) {
  const { t } = useTranslation('models')
  if (!report.tempering) return null
  const { temperature } = report.tempering
  const before: Record<string, number> = report.tempering.before
  const after: Record<string, number> = report.tempering.after
  return (
    <div>
      <Table fz="sm" verticalSpacing={3} aria-label={t('report:shipped.calibration')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>
              <Term word="ece">{t('report:shipped.calibration')}</Term>
            </Table.Th>
            <Table.Th ta="right">{t('report:shipped.before')}</Table.Th>
            <Table.Th ta="right">{t('report:shipped.after', { temperature: formatNumber(temperature) })}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {Object.keys(after).map((split) => (
            <Table.Tr key={split}>
              <Table.Td>{t(`charts:split.${split}`, split)}</Table.Td>
              <Table.Td ta="right">{formatFraction(before[split] ?? null)}</Table.Td>
              <Table.Td ta="right">{formatFraction(after[split] ?? null)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="xs" c="dimmed" mt={4}>
        {t('report:shipped.calibration_help')}
      </Text>
    </div>
  )
}
