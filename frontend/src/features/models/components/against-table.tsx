import { Anchor, Badge, Radio, Stack, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { formatAmount, formatFraction, formatMetric } from '../../../charts/format/format'
import { seriesColor } from '../../../charts/palette/palette'
import { useScheme } from '../../../charts/palette/use-scheme'
import { useLocalText } from '../../../lib/local-text'
import { useModelName } from '../../../lib/project/task'
import { Section } from '../../../ui/section'
import type { Artefact, MetricSpec, Pair, SplitReport } from '../api/types'
import { type Verdict, verdict } from '../model/comparison'
import { intervalOf } from '../model/metric-rows'
import { formatP, pairVerdict } from '../model/pair'
import classes from './against-table.module.css'

export interface Compared {
  artefact: Artefact
  split: SplitReport
  /** Against the base, with a p-value that holds for all pairs; null of the base itself, and where it could not be made. */
  pair: Pair | null
}

interface AgainstTableProps {
  /** The base comes first. */
  compared: readonly Compared[]
  metrics: readonly MetricSpec[]
  /** Whose items are shown below. */
  focus: string
  onFocus: (artefact: string) => void
}

/** All metrics with their intervals, and each model against the base: who is better by a paired test, what it fixes and breaks. */
export function AgainstTable({ compared, metrics, focus, onFocus }: AgainstTableProps) {
  const { t } = useTranslation('models')
  const text = useLocalText()
  const scheme = useScheme()
  const modelName = useModelName()
  const [base, ...others] = compared
  if (!base) return null
  const shown = metrics.filter(({ name }) => compared.some(({ split }) => split.metrics[name] !== undefined))
  const baseName = t('name', { number: base.artefact.number })
  const numTests = others.filter(({ pair }) => pair?.test).length
  return (
    <Section title={t('against.title', { base: baseName })} help={numTests > 1 ? t('against.help', { count: numTests }) : undefined}>
      <Table.ScrollContainer minWidth={380 + 92 * shown.length} scrollAreaProps={{ type: 'auto', offsetScrollbars: 'present' }}>
        <Table fz="sm" horizontalSpacing="xs" className={classes.table} aria-label={t('against.title', { base: baseName })}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th miw={170}>{t('column.name')}</Table.Th>
              <Table.Th miw={200}>{t('against.column', { base: baseName })}</Table.Th>
              {shown.map(({ name, title }) => (
                <Table.Th key={name} ta="right">
                  {text(title)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {compared.map((each, place) => (
              <Table.Tr key={each.artefact.id}>
                <Table.Th scope="row">
                  <span className={classes.name}>
                    <span className={classes.dot} style={{ background: seriesColor(place, scheme) }} />
                    <Anchor component={Link} fz="sm" to={`/projects/${each.artefact.project}/models/${each.artefact.id}`}>
                      {t('name', { number: each.artefact.number })}
                    </Anchor>
                    {place === 0 && <Badge size="sm">{t('against.base')}</Badge>}
                  </span>
                  <Text size="xs" c="dimmed" fw={400}>
                    {modelName(each.artefact.family, each.artefact.size, each.artefact.num_members)}
                  </Text>
                </Table.Th>
                <Table.Td>
                  {place > 0 && <Against base={base} other={each} objective={metrics[0]} />}
                  {place > 0 && others.length > 1 && (
                    <Radio
                      size="xs"
                      mt={4}
                      name="focus"
                      label={t('against.show')}
                      aria-label={t('against.show_of', { name: t('name', { number: each.artefact.number }) })}
                      checked={focus === each.artefact.id}
                      onChange={() => onFocus(each.artefact.id)}
                    />
                  )}
                </Table.Td>
                {shown.map(({ name }) => (
                  <Table.Td key={name} ta="right">
                    <Measured name={name} split={each.split} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Section>
  )
}

function Measured({ name, split }: { name: string; split: SplitReport }) {
  const { t } = useTranslation('charts')
  const interval = intervalOf(split.intervals[name])
  return (
    <div className={classes.number}>
      <b>{formatMetric(name, split.metrics[name])}</b>
      {interval && (
        <Text size="xs" c="dimmed">
          {t('interval.range', { low: formatMetric(name, interval[0]), high: formatMetric(name, interval[1]) })}
        </Text>
      )}
    </div>
  )
}

const VERDICTS = { left: 'worse', right: 'better', undecided: 'undecided' } as const satisfies Record<Verdict, string>
const COLORS = { left: 'orange', right: 'green', undecided: 'gray' } as const satisfies Record<Verdict, string>

function Against({ base, other, objective }: { base: Compared; other: Compared; objective: MetricSpec | undefined }) {
  const { t } = useTranslation('models')
  const { pair } = other
  const name = objective?.name ?? ''
  const ends = (each: Compared) => intervalOf(each.split.intervals[name])
  const found = pair?.test ? pairVerdict(pair) : verdict(ends(base), ends(other), objective?.is_higher_better ?? true)
  const signed = (value: number) => `${value > 0 ? '+' : ''}${(pair?.is_amount ? formatAmount : formatFraction)(value)}`
  const [from = 0, to = 0] = pair?.test?.interval ?? []
  return (
    <Stack gap={2} align="flex-start">
      <Badge color={COLORS[found]}>{t(`against.verdict.${VERDICTS[found]}`)}</Badge>
      <Text size="xs">
        {pair?.test
          ? t('against.test', {
              difference: signed(pair.test.difference),
              from: signed(from),
              to: signed(to),
              p: formatP(pair.test.p_value),
            })
          : t('against.no_test')}
      </Text>
      {pair && (
        <Text size="xs">{t(`against.${pair.is_amount ? 'amount' : 'share'}`, { fixed: pair.num_fixed, broken: pair.num_broken })}</Text>
      )}
    </Stack>
  )
}
