import { Alert, List, Stack, Table, Text } from '@mantine/core'
import { IconBulb } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { formatDuration, formatFraction, formatNumber } from '../../../charts/format/format'
import { seriesColor } from '../../../charts/palette/palette'
import { useScheme } from '../../../charts/palette/use-scheme'
import { StackedBars } from '../../../charts/stacked-bars/stacked-bars'
import { StepTimes } from '../../../charts/step-times/step-times'
import { formatBytes } from '../../../lib/format'
import { Disclosure } from '../../../ui/disclosure'
import { Facts } from '../../../ui/facts'
import { Section } from '../../../ui/section'
import type { Report } from '../api/types'

type Profile = NonNullable<Report['profile']>

const PARTS = ['compute', 'wait', 'evaluate', 'save', 'exchange'] as const

/** Where the time of a training went, what that advises, and how its layers fared. */
export function TrainingProfile({ profile }: { profile: Profile }) {
  const { t } = useTranslation('report')
  const scheme = useScheme()
  const colorOf = (part: (typeof PARTS)[number]) => seriesColor(PARTS.indexOf(part), scheme)
  const seconds = {
    compute: profile.compute_s,
    wait: profile.wait_s,
    evaluate: profile.evaluate_s,
    save: profile.save_s,
    exchange: profile.processes?.[0]?.exchange_s ?? 0, // the other times are those of the first process, too
  }
  const total_s = PARTS.reduce((sum, part) => sum + seconds[part], 0)
  const shown = PARTS.filter((part) => part !== 'exchange' || seconds.exchange > 0)
  const parts = shown.map((part) => ({ key: part, title: t(`profile.parts.${part}`), count: seconds[part], color: colorOf(part) }))
  return (
    <Section title={t('profile.title')} help={t('profile.help')}>
      <Stack gap="sm">
        <StackedBars
          rows={[{ key: 'all', title: t('profile.training'), parts, value: formatDuration(total_s) }]}
          format={(part_s) => `${formatDuration(part_s)} (${formatFraction(part_s / Math.max(total_s, 1e-9), 0)})`}
        />
        <Facts
          facts={[
            { name: t('profile.rate'), value: t('profile.rate_value', { rate: formatNumber(Number(profile.items_per_s.toPrecision(3))) }) },
            { name: t('profile.memory'), value: formatBytes(profile.peak_memory_bytes) },
            { name: t('profile.device'), value: profile.device === 'cpu' ? t('profile.cpu') : profile.device },
          ]}
        />
        {profile.advice.length > 0 && (
          <Alert variant="light" icon={<IconBulb size={16} />} title={t('profile.advice_title')}>
            <List size="sm">
              {profile.advice.map((code) => (
                <List.Item key={code}>{t(`profile.advice.${code}`)}</List.Item>
              ))}
            </List>
          </Alert>
        )}
        {profile.steps.length > 1 && <StepTimes points={profile.steps} colors={{ compute: colorOf('compute'), wait: colorOf('wait') }} />}
        {(profile.processes?.length ?? 0) > 1 && <Processes processes={profile.processes ?? []} />}
        {profile.layers.length > 0 && <Layers layers={profile.layers} />}
      </Stack>
    </Section>
  )
}

const SHARES = ['compute', 'wait', 'exchange'] as const

/** What each of several processes did meanwhile, and how much of it was computing. */
function Processes({ processes }: { processes: NonNullable<Profile['processes']> }) {
  const { t } = useTranslation('report')
  const scheme = useScheme()
  const seconds = processes.map(({ compute_s, wait_s, exchange_s }) => ({ compute: compute_s, wait: wait_s, exchange: exchange_s }))
  const longest_s = Math.max(...seconds.map(({ compute, wait, exchange }) => compute + wait + exchange), 1e-9)
  const speedUp = seconds.reduce((sum, { compute }) => sum + compute, 0) / longest_s
  const hosts = new Set(processes.map(({ host }) => host))
  const rows = processes.map(({ rank, host }, place) => ({
    key: String(rank),
    title: t(hosts.size > 1 ? 'profile.process_on' : 'profile.process', { number: rank + 1, host }),
    value: formatDuration(SHARES.reduce((sum, part) => sum + (seconds[place]?.[part] ?? 0), 0)),
    parts: SHARES.map((part) => ({
      key: part,
      title: t(`profile.parts.${part}`),
      count: seconds[place]?.[part] ?? 0,
      color: seriesColor(PARTS.indexOf(part), scheme),
    })),
  }))
  return (
    <div>
      <Text size="sm" fw={600}>
        {t('profile.scaling', { times: formatNumber(Number(speedUp.toPrecision(2))), count: processes.length })}
      </Text>
      <Text size="xs" c="dimmed" mb="xs">
        {t('profile.scaling_help')}
      </Text>
      <StackedBars rows={rows} format={(part_s) => `${formatDuration(part_s)} (${formatFraction(part_s / longest_s, 0)})`} />
    </div>
  )
}

function Layers({ layers }: { layers: Profile['layers'] }) {
  const { t } = useTranslation('report')
  const hasDead = layers.some(({ dead_fraction }) => dead_fraction != null)
  return (
    <Disclosure title={t('profile.layers')}>
      <Text size="xs" c="dimmed" my="xs">
        {t('profile.layers_help')} {hasDead && t('profile.dead_help')}
      </Text>
      <Table.ScrollContainer minWidth={420}>
        <Table verticalSpacing={4} fz="sm" aria-label={t('profile.layers')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('profile.layer')}</Table.Th>
              <Table.Th ta="right">{t('profile.gradient')}</Table.Th>
              <Table.Th ta="right">{t('profile.relative')}</Table.Th>
              {hasDead && <Table.Th ta="right">{t('profile.dead')}</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {layers.map(({ first, last, gradient_norm, weight_norm, dead_fraction }) => (
              <Table.Tr key={first}>
                <Table.Td>{first === last ? first : t('profile.range', { first, last })}</Table.Td>
                <Table.Td ta="right">{formatNumber(gradient_norm)}</Table.Td>
                <Table.Td ta="right">{weight_norm > 0 ? formatNumber(gradient_norm / weight_norm) : '–'}</Table.Td>
                {hasDead && <Table.Td ta="right">{formatFraction(dead_fraction)}</Table.Td>}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Disclosure>
  )
}
