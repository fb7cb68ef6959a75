import { SimpleGrid, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { EffectBars } from '../../../charts/effect-bars/effect-bars'
import { signed } from '../../../charts/pair-matrix/matrix'
import { PairMatrixChart } from '../../../charts/pair-matrix/pair-matrix'
import { Section } from '../../../ui/section'
import type { Correlation } from '../api/types'

const LISTED = 12

/** Which columns go together. */
export function Relations({ pairs }: { pairs: readonly Correlation[] }) {
  const { t } = useTranslation('columns')
  const write = (value: number) => value.toFixed(2)
  return (
    <Section title={t('relations.title')} help={t('relations.help')}>
      {pairs.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('relations.none')}
        </Text>
      ) : (
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
          <PairMatrixChart pairs={pairs} />
          <div>
            <Text size="sm" fw={600} mb={6}>
              {t('relations.strongest')}
            </Text>
            <EffectBars
              hasLongNames
              effects={pairs.slice(0, LISTED).map((pair) => ({ key: `${pair.first} ↔ ${pair.second}`, value: signed(pair), std: 0 }))}
              format={write}
              describe={({ key, value }) => `${key}: ${write(value)}`}
            />
          </div>
        </SimpleGrid>
      )}
    </Section>
  )
}
