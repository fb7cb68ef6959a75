import { Alert, SimpleGrid, Stack, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatFraction } from '../../../charts/format/format'
import { Histogram } from '../../../charts/histogram/histogram'
import { SquareChart } from '../../../charts/square/square'
import type { Answer } from '../../../lib/api/answer'
import { formatNumber } from '../../../lib/format'
import { Section } from '../../../ui/section'
import { BaselineTable } from '../components/baseline-table'
import type { ChartProps, ReportChart } from './chart'
import classes from './similarity.module.css'

type Similarity = NonNullable<ChartProps['split']['similarity']>
type Pair = Answer<'ConfusedPair'>

const range = (interval: readonly number[]) => `${formatFraction(interval[0] ?? 0)}–${formatFraction(interval[1] ?? 0)}`

/** How well similarities tell the same things from different ones. */
function Chart({ split, metrics, onItem }: ChartProps) {
  const { similarity } = split
  if (!similarity) return null
  return (
    <Stack>
      <Judged similarity={similarity} />
      <BaselineTable split={split} metrics={metrics} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Spread similarity={similarity} />
        <Curve similarity={similarity} />
      </SimpleGrid>
      <Limits similarity={similarity} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Pairs kind="alike" pairs={similarity.alike} onItem={onItem} />
        <Pairs kind="unlike" pairs={similarity.unlike} onItem={onItem} />
      </SimpleGrid>
    </Stack>
  )
}

function Judged({ similarity: { is_unseen, num_judged, num_labels } }: { similarity: Similarity }) {
  const { t } = useTranslation('report')
  const counts = { number: formatNumber(num_judged), labels: formatNumber(num_labels) }
  return <Alert color={is_unseen ? 'teal' : 'yellow'}>{t(is_unseen ? 'similarity.unseen' : 'similarity.seen', counts)}</Alert>
}

function Spread({ similarity }: { similarity: Similarity }) {
  const { t } = useTranslation('report')
  const limit = similarity.points.at(-1)?.limit
  const shown = [
    [t('similarity.same', { number: formatNumber(similarity.num_same) }), similarity.same_counts],
    [t('similarity.different', { number: formatNumber(similarity.num_different) }), similarity.different_counts],
  ] as const
  return (
    <Section title={t('similarity.spread')} help={t('similarity.spread_help')}>
      <Stack>
        {shown.map(([title, counts]) => (
          <div key={title}>
            <Text size="sm" fw={600}>
              {title}
            </Text>
            <Histogram
              edges={counts.map((_, place) => (2 * place) / counts.length - 1).concat(1)}
              counts={counts}
              label={title}
              xTitle={t('similarity.similarity')}
              yTitle={t('similarity.pairs')}
              format={(value) => value.toFixed(2)}
              {...(limit === undefined ? {} : { mark: limit })}
            />
          </div>
        ))}
      </Stack>
    </Section>
  )
}

function Curve({ similarity: { false_match_rate, accept_rate } }: { similarity: Similarity }) {
  const { t } = useTranslation('report')
  const curve = { label: t('similarity.pairs'), x: false_match_rate, y: accept_rate, value: '' }
  return (
    <Section title={t('rows.roc')} help={t('similarity.roc_help')}>
      <SquareChart
        curves={[curve]}
        xTitle={t('similarity.mistaken')}
        yTitle={t('similarity.accepted')}
        label={t('rows.roc')}
        empty={t('rows.no_curve')}
      />
    </Section>
  )
}

function Limits({ similarity: { points } }: { similarity: Similarity }) {
  const { t } = useTranslation('report')
  return (
    <Section title={t('similarity.limits')} help={t('similarity.limits_help')}>
      <Table.ScrollContainer minWidth={520}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('similarity.rate')}</Table.Th>
              <Table.Th ta="right">{t('similarity.limit')}</Table.Th>
              <Table.Th ta="right">{t('similarity.accepted')}</Table.Th>
              <Table.Th ta="right">{t('similarity.mistaken')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {points.map(({ rate, limit, accepted, accepted_interval, mistaken, mistaken_interval }) => (
              <Table.Tr key={rate}>
                <Table.Td>{t('similarity.one_in', { number: formatNumber(Math.round(1 / rate)) })}</Table.Td>
                <Table.Td ta="right">{limit.toFixed(3)}</Table.Td>
                <Table.Td ta="right">
                  {formatFraction(accepted)} ({range(accepted_interval)})
                </Table.Td>
                <Table.Td ta="right">
                  {formatFraction(mistaken)} ({range(mistaken_interval)})
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Section>
  )
}

interface PairsProps {
  kind: 'alike' | 'unlike'
  pairs: readonly Pair[]
  onItem: (item: string) => void
}

function Pairs({ kind, pairs, onItem }: PairsProps) {
  const { t } = useTranslation('report')
  return (
    <Section title={t(`similarity.${kind}`)} help={t(`similarity.${kind}_help`)}>
      <Stack gap="sm">
        {pairs.map(({ items, labels, similarity }) => (
          <figure key={items.join()} className={classes.pair}>
            {items.map((item, place) => (
              <button key={item} type="button" className={classes.picture} onClick={() => onItem(item)}>
                <img src={`/api/items/${item}/thumbnail?size=256`} alt="" loading="lazy" />
                <Text size="xs" truncate title={labels[place] ?? ''}>
                  {labels[place]}
                </Text>
              </button>
            ))}
            <figcaption>
              <Text size="sm" fw={600}>
                {similarity.toFixed(3)}
              </Text>
            </figcaption>
          </figure>
        ))}
      </Stack>
    </Section>
  )
}

export default { name: 'similarity', Chart } satisfies ReportChart
