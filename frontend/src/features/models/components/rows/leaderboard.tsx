import { Badge, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatDuration, formatFraction, formatMetric } from '../../../../charts/format/format'
import { formatNumber } from '../../../../lib/format'
import { useLocalText } from '../../../../lib/local-text'
import { useTask } from '../../../../lib/project/task'
import { useSetting } from '../../../../ui/use-setting'
import type { MetricSpec, TableReport } from '../../api/types'
import classes from './rows.module.css'

interface LeaderboardProps {
  models: TableReport['models']
  objective: MetricSpec | undefined
}

/** The one that is shipped, and the models that it was mixed of, best first, with how much of each is in it. */
export function Leaderboard({ models, objective }: LeaderboardProps) {
  const { t } = useTranslation('report')
  const text = useLocalText()
  const setting = useSetting()
  const families = useTask().data?.families ?? []
  const familyOf = (name: string) => families.find((family) => family.name === name)
  return (
    <Table.ScrollContainer minWidth={520}>
      <Table aria-label={t('rows.leaderboard')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('rows.model')}</Table.Th>
            <Table.Th ta="right">{objective ? text(objective.title) : ''}</Table.Th>
            <Table.Th w={200}>{t('rows.weight')}</Table.Th>
            <Table.Th ta="right">{t('rows.fit_time')}</Table.Th>
            <Table.Th ta="right">{t('rows.speed')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {models.map((model, index) => {
            const family = familyOf(model.family)
            return (
              <Table.Tr key={`${model.name} ${index}`} data-out={model.weight === 0 || undefined} className={classes.model}>
                <Table.Td>
                  {family ? text(family.title) : model.name} {index === 1 && <Badge color="teal">{t('rows.best')}</Badge>}
                  {Object.keys(model.params).length > 0 && (
                    <Text size="xs" c="dimmed" lineClamp={1}>
                      {Object.entries(model.params)
                        .map(([name, value]) => setting(model.family, name, value).join(' '))
                        .join(' · ')}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td className={classes.number}>{formatMetric(objective?.name ?? '', model.value)}</Table.Td>
                <Table.Td>
                  <div className={classes.weight}>
                    <span>{model.weight > 0 ? formatFraction(model.weight, 0) : t('rows.left_out')}</span>
                    <span className={classes.track} aria-hidden>
                      <span className={classes.fill} style={{ width: `${model.weight * 100}%` }} />
                    </span>
                  </div>
                </Table.Td>
                <Table.Td className={classes.number}>{formatDuration(model.fit_seconds)}</Table.Td>
                <Table.Td className={classes.number}>
                  {model.rows_per_s == null ? '–' : formatNumber(Math.round(model.rows_per_s))}
                </Table.Td>
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
