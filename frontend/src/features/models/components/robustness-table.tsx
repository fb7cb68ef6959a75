import { Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatAmount, formatFraction, formatNumber } from '../../../charts/format/format'
import { useLocalText } from '../../../lib/local-text'
import type { AlteredScore, Robustness } from '../api/types'
import { RobustnessCurve } from './robustness-curve'
import classes from './robustness-table.module.css'

interface RobustnessTableProps {
  report: Robustness
}

const STRENGTHS = ['mild', 'medium', 'strong'] as const

/** A row for each alteration: the curve, and from mild to strong one altered item and how all of them are answered. */
export function RobustnessTable({ report }: RobustnessTableProps) {
  const { t } = useTranslation('report')
  const text = useLocalText()
  const isShare = report.measure !== 'absolute_error'
  const format = isShare ? formatFraction : formatAmount
  const words = { value: format(report.value), low: format(report.interval[0]), high: format(report.interval[1]) }
  const hasOriginal = Boolean(report.example ?? report.example_text)
  const numBad = report.alterations.filter(({ steps }) => steps.some((step) => step.is_worse)).length
  return (
    <div>
      <Text size="sm">
        {t(`robustness.unaltered.${report.measure}`, { ...words, count: report.num_items })}{' '}
        {numBad > 0 ? t('robustness.some', { count: numBad, total: report.alterations.length }) : t('robustness.robust')}
      </Text>
      <Table.ScrollContainer minWidth={720} mt="xs">
        <Table fz="sm" verticalSpacing="xs" className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('robustness.alteration')}</Table.Th>
              <Table.Th>{t('robustness.curve')}</Table.Th>
              {hasOriginal && <Table.Th>{t('robustness.original')}</Table.Th>}
              {STRENGTHS.map((strength) => (
                <Table.Th key={strength}>{t(`robustness.${strength}`)}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {report.alterations.map((alteration) => (
              <Table.Tr key={alteration.name}>
                <Table.Th scope="row">{text(alteration.title)}</Table.Th>
                <Table.Td>
                  <RobustnessCurve report={report} alteration={alteration} />
                </Table.Td>
                {hasOriginal && (
                  <Table.Td>
                    <Example picture={report.example} text={report.example_text} />
                  </Table.Td>
                )}
                {alteration.steps.map((step, index) => (
                  <Table.Td key={index}>
                    <Example picture={step.example} text={step.example_text} />
                    <Text size="xs" c="dimmed">
                      {text(step.strength)}
                    </Text>
                    <Score step={step} isShare={isShare} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Text size="xs" c="dimmed" mt="xs">
        {t('robustness.legend')}
      </Text>
    </div>
  )
}

interface ExampleProps {
  picture: string | null | undefined
  text: string | null | undefined
}

function Example({ picture, text }: ExampleProps) {
  if (picture) return <img src={picture} alt="" width={72} height={72} className={classes.example} />
  return text ? <div className={classes.words}>{text}</div> : null
}

function Score({ step, isShare }: { step: AlteredScore; isShare: boolean }) {
  const { t } = useTranslation('report')
  const [low = step.worse_by, high = step.worse_by] = step.worse_by_interval
  const difference = (value: number) => (isShare ? t('robustness.points', { value: formatNumber(100 * value) }) : formatAmount(value))
  return (
    <div
      className={classes.score}
      data-worse={step.is_worse || undefined}
      title={t('robustness.interval', { low: difference(low), high: difference(high) })}
    >
      <b>{(isShare ? formatFraction : formatAmount)(step.measured)}</b>{' '}
      {step.is_worse && <span>{t('robustness.lost', { value: difference(step.worse_by) })}</span>}
    </div>
  )
}
