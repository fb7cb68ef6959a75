import { SegmentedControl, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatNumber } from '../../../lib/format'
import { Section } from '../../../ui/section'
import { type Gallery, useChangeGallery } from '../api/galleries'

interface FalseMatchesProps {
  gallery: Gallery
  canChange: boolean
}

/** How many pairs of different things may be taken for the same: it sets the limit. */
export function FalseMatches({ gallery, canChange }: FalseMatchesProps) {
  const { t } = useTranslation('galleries')
  const change = useChangeGallery(gallery.id)
  if (gallery.limit === null) return null
  return (
    <Section title={t('rate.title')} help={t('rate.help')}>
      <Stack gap="xs">
        <SegmentedControl
          aria-label={t('rate.title')}
          disabled={!canChange || change.isPending}
          value={gallery.false_match_rate}
          data={gallery.false_match_rates.map((rate) => ({
            value: rate,
            label: t('rate.one_in', { number: formatNumber(Math.round(1 / Number(rate))) }),
          }))}
          onChange={(rate) => change.mutate({ false_match_rate: rate })}
        />
        <Text size="sm" c="dimmed">
          {t('rate.limit', { limit: gallery.limit.toFixed(3) })}
        </Text>
      </Stack>
    </Section>
  )
}
