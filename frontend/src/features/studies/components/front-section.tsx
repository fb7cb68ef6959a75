import { Badge, Button, Grid, SegmentedControl, Table, Text, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { formatLatency, formatMetric } from '../../../charts/format/format'
import { FrontScatter } from '../../../charts/front-scatter/front-scatter'
import { afterMutation } from '../../../lib/after-mutation'
import { formatBytes } from '../../../lib/format'
import { useLocalText } from '../../../lib/local-text'
import { useModelName } from '../../../lib/project/task'
import { useHasRole } from '../../../lib/session/session'
import { notifyDone } from '../../../ui/notify'
import { Section } from '../../../ui/section'
import { useShipTrial } from '../api/change-study'
import type { Study, Trial } from '../api/types'
import { frontRows, type MeasuredTrial } from '../model/front-rows'
import type { SideObjective } from '../model/study-form'
import { shownNumber } from '../model/trial-rows'
import classes from './trial-table.module.css'

interface FrontSectionProps {
  study: Study
  trials: readonly Trial[]
  onOpen: (trial: string) => void
}

const FORMATS: Record<SideObjective, (value: number) => string> = { latency_ms: formatLatency, model_bytes: formatBytes }

/** Of a study with several objectives, the trials among which a person chooses: as points, and as a table with buttons. */
export function FrontSection({ study, trials, onOpen }: FrontSectionProps) {
  const { t } = useTranslation('studies')
  const text = useLocalText()
  const [axis, setAxis] = useState<SideObjective | null>(null)
  const shown = axis ?? study.also_improves[0]
  const { measured, front } = frontRows(study, trials)
  if (!shown || !measured.length) {
    return (
      <Section title={t('front.title')} help={t('front.help')}>
        <Text size="sm" c="dimmed">
          {t('front.empty')}
        </Text>
      </Section>
    )
  }
  const metric = study.objective.name
  const points = measured.map((trial) => ({
    id: trial.id,
    title: t('front.point', {
      number: shownNumber(trial),
      value: formatMetric(metric, trial.value),
      other: FORMATS[shown](trial.footprint[shown]),
    }),
    x: trial.footprint[shown],
    y: trial.value,
    rank: study.front.includes(trial.id) ? ('front' as const) : ('beaten' as const),
    isShipped: trial.id === study.judged_trial,
  }))
  const axes = study.also_improves.map((name) => ({ value: name, label: t(`footprint.${name}`) }))
  return (
    <Section title={t('front.title')} help={t('front.help')}>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 5 }}>
          {axes.length > 1 && (
            <SegmentedControl
              size="xs"
              mb="xs"
              aria-label={t('front.axis')}
              data={axes}
              value={shown}
              onChange={(name) => setAxis(name as SideObjective)}
            />
          )}
          <FrontScatter
            points={points}
            label={t('front.label', { metric: text(study.objective.title), other: t(`footprint.${shown}`) })}
            xTitle={t(`footprint.${shown}`)}
            yTitle={text(study.objective.title)}
            formatX={FORMATS[shown]}
            formatY={(value) => formatMetric(metric, value)}
            onSelect={onOpen}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <FrontTable study={study} front={front} onOpen={onOpen} />
        </Grid.Col>
      </Grid>
    </Section>
  )
}

interface FrontTableProps {
  study: Study
  front: readonly (Trial & MeasuredTrial)[]
  onOpen: (trial: string) => void
}

function FrontTable({ study, front, onOpen }: FrontTableProps) {
  const { t } = useTranslation('studies')
  const text = useLocalText()
  const modelName = useModelName()
  const canShip = useHasRole('engineer') && study.state === 'succeeded'
  const ship = useShipTrial(study.id)
  return (
    <div>
      <Table.ScrollContainer minWidth={420}>
        <Table aria-label={t('front.title')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('trial.column.number')}</Table.Th>
              <Table.Th ta="right">{text(study.objective.title)}</Table.Th>
              {study.also_improves.map((name) => (
                <Table.Th key={name} ta="right">
                  {t(`footprint.${name}`)}
                </Table.Th>
              ))}
              <Table.Th />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {front.map((trial) => (
              <Table.Tr key={trial.id}>
                <Table.Td>
                  <UnstyledButton className={classes.name} onClick={() => onOpen(trial.id)}>
                    {shownNumber(trial)} · {modelName(trial.train.family, trial.train.size)}
                  </UnstyledButton>
                </Table.Td>
                <Table.Td ta="right" className={classes.number}>
                  {formatMetric(study.objective.name, trial.value)}
                </Table.Td>
                {study.also_improves.map((name) => (
                  <Table.Td key={name} ta="right" className={classes.number}>
                    {FORMATS[name](trial.footprint[name])}
                  </Table.Td>
                ))}
                <Table.Td ta="right">
                  {trial.id === study.judged_trial && <Badge color="teal">{t('front.is_shipped')}</Badge>}
                  {trial.id !== study.judged_trial && canShip && (
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={t('front.ship_label', { number: shownNumber(trial) })}
                      disabled={ship.isPending}
                      onClick={() =>
                        afterMutation(ship.mutateAsync(trial.id), () => notifyDone(t('front.shipped', { number: shownNumber(trial) })))
                      }
                    >
                      {t('front.ship')}
                    </Button>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {study.state === 'running' && (
        <Text size="xs" c="dimmed" mt={6}>
          {t('front.wait')}
        </Text>
      )}
    </div>
  )
}
