import { Alert, Anchor, Badge, Button, Group, List, Stack, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { formatFraction, formatLatency, formatNumber } from '../../../charts/format/format'
import { FrontScatter } from '../../../charts/front-scatter/front-scatter'
import { formatBytes } from '../../../lib/format'
import { useLocalText } from '../../../lib/local-text'
import { useHasRole } from '../../../lib/session/session'
import { Section } from '../../../ui/section'
import { useKeepCandidate } from '../api/compressions'
import type { Artefact, Compared, Compression } from '../api/types'
import { frontOf, pointsOf, ranked } from '../model/compression'

interface CompressionFrontProps {
  artefact: Artefact
  compression: Compression
  compared: Compared
}

/** What was measured: the original, every candidate beside it, and what was left out and why. */
export function CompressionFront({ artefact, compression, compared }: CompressionFrontProps) {
  const { t } = useTranslation('models')
  const text = useLocalText()
  const { budget } = compression
  const measure = t(`compression.measure.${compared.measure}`)
  const values = { count: compared.num_items, calibration: compared.num_calibration, split: t(`charts:split.${compared.split}`) }
  return (
    <Section title={t('compression.front')} help={t('compression.front_help', values)}>
      <Stack>
        {compared.candidates.length === 0 ? (
          <Alert variant="light">{t('compression.none')}</Alert>
        ) : (
          <FrontScatter
            points={frontOf(compared, t('compression.original'), text)}
            limits={{
              x: budget.max_latency_ms ?? undefined,
              y: budget.max_loss == null ? undefined : compared.original.value - budget.max_loss,
            }}
            formatX={formatLatency}
            formatY={(value) => formatFraction(value, 1)}
            xTitle={t('compression.column.latency')}
            yTitle={measure}
            label={t('compression.chart', { count: compared.candidates.length })}
          />
        )}
        <Table.ScrollContainer minWidth={760}>
          <Table verticalSpacing="sm" aria-label={t('compression.front')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('compression.column.method')}</Table.Th>
                <Table.Th ta="right">{measure}</Table.Th>
                <Table.Th ta="right">{t('compression.column.change')}</Table.Th>
                <Table.Th ta="right">{t('compression.column.latency')}</Table.Th>
                <Table.Th ta="right">{t('compression.column.size')}</Table.Th>
                <Table.Th />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              <Table.Tr>
                <Table.Td>{t('compression.original')}</Table.Td>
                <Table.Td ta="right">{formatFraction(compared.original.value)}</Table.Td>
                <Table.Td />
                <Table.Td ta="right">{formatLatency(compared.original.latency_ms)}</Table.Td>
                <Table.Td ta="right">{formatBytes(compared.original.model_bytes)}</Table.Td>
                <Table.Td />
              </Table.Tr>
              {ranked(compared.candidates).map((candidate) => (
                <CandidateRow key={candidate.measured.method} artefact={artefact} compression={compression} candidate={candidate} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
        {compared.left_out.length > 0 && (
          <div>
            <Text size="sm" fw={600}>
              {t('compression.left_out')}
            </Text>
            <List size="sm" spacing={2}>
              {compared.left_out.map(({ title, reason }) => (
                <List.Item key={title.en}>{t(`compression.reason.${reason}`, { method: text(title) })}</List.Item>
              ))}
            </List>
          </div>
        )}
      </Stack>
    </Section>
  )
}

interface CandidateRowProps {
  artefact: Artefact
  compression: Compression
  candidate: Compared['candidates'][number]
}

function CandidateRow({ artefact, compression, candidate }: CandidateRowProps) {
  const { t } = useTranslation('models')
  const text = useLocalText()
  const { measured, over } = candidate
  const maxLoss = compression.budget.max_loss
  const mayLoseMore = maxLoss != null && !over.includes('loss') && (measured.loss_interval[1] ?? 0) > maxLoss
  return (
    <Table.Tr>
      <Table.Td maw={320}>
        <Group gap={6}>
          <Text size="sm" fw={600}>
            {text(candidate.title)}
          </Text>
          {over.map((limit) => (
            <Badge key={limit} color="orange" tt="none">
              {t(`compression.over.${limit}`)}
            </Badge>
          ))}
        </Group>
        <Text size="xs" c="dimmed">
          {text(candidate.summary)} {measured.num_kept > 0 && t('compression.kept_nodes', { count: measured.num_kept })}
        </Text>
      </Table.Td>
      <Table.Td ta="right">{formatFraction(measured.point.value)}</Table.Td>
      <Table.Td ta="right">
        {pointsOf(measured.loss)}
        <Text size="xs" c={mayLoseMore ? 'orange' : 'dimmed'}>
          {t('compression.between', { low: pointsOf(measured.loss_interval[1] ?? 0), high: pointsOf(measured.loss_interval[0] ?? 0) })}
        </Text>
      </Table.Td>
      <Table.Td ta="right">
        {formatLatency(measured.point.latency_ms)}
        <Text size="xs" c="dimmed">
          {t('compression.speedup', {
            times: formatNumber(measured.speedup),
            low: formatNumber(measured.speedup_interval[0]),
            high: formatNumber(measured.speedup_interval[1]),
          })}
        </Text>
      </Table.Td>
      <Table.Td ta="right">{formatBytes(measured.point.model_bytes)}</Table.Td>
      <Table.Td ta="right">
        <KeepButton artefact={artefact} compression={compression} candidate={candidate} />
      </Table.Td>
    </Table.Tr>
  )
}

function KeepButton({ artefact, compression, candidate }: CandidateRowProps) {
  const { t } = useTranslation('models')
  const canWrite = useHasRole('engineer')
  const keep = useKeepCandidate(artefact.id)
  if (candidate.artefact) {
    return (
      <Anchor component={Link} to={`/projects/${artefact.project}/models/${candidate.artefact}`} size="sm">
        {t('name', { number: candidate.artefact_number })}
      </Anchor>
    )
  }
  if (!canWrite) return null
  return (
    <Button
      size="xs"
      variant="default"
      loading={keep.isPending}
      disabled={candidate.over.length > 0}
      onClick={() => keep.mutate({ compression: compression.id, method: candidate.measured.method })}
    >
      {t('compression.keep')}
    </Button>
  )
}
