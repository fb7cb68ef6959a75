import { Anchor, SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { EffectBars } from '../../../../charts/effect-bars/effect-bars'
import { formatMetric } from '../../../../charts/format/format'
import { Section } from '../../../../ui/section'
import type { TableReport } from '../../api/types'

interface ColumnEffectsProps {
  effects: TableReport['effects']
  /** Name of the objective. */
  objective: string
  /** Writes an answer of the model. */
  format: (value: number) => string
}

const FIRST = 15
type By = 'permutation' | 'shap'

/** How much the model hangs on each column, measured in two ways. */
export function ColumnEffects({ effects, objective, format }: ColumnEffectsProps) {
  const { t } = useTranslation('report')
  const [by, setBy] = useState<By>('permutation')
  const [isWhole, setWhole] = useState(false)
  const isShuffled = by === 'permutation'
  const all = effects
    .map(({ column, importance, importance_std, mean_abs_shap }) => ({
      key: column,
      value: isShuffled ? importance : mean_abs_shap,
      std: isShuffled ? importance_std : 0,
    }))
    .sort((one, other) => other.value - one.value)
  const written = isShuffled ? (value: number) => formatMetric(objective, value) : format
  return (
    <Section
      title={t('rows.importance')}
      help={t(`rows.importance_help.${by}`)}
      actions={
        <SegmentedControl
          size="xs"
          flex="none"
          aria-label={t('rows.importance')}
          value={by}
          onChange={(value) => setBy(value as By)}
          data={[
            { value: 'permutation', label: t('rows.permutation') },
            { value: 'shap', label: t('rows.shap') },
          ]}
        />
      }
    >
      {all.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('rows.no_effects')}
        </Text>
      )}
      <EffectBars
        effects={isWhole ? all : all.slice(0, FIRST)}
        format={written}
        describe={({ key, value, std }) =>
          std > 0
            ? t('rows.effect_std', { column: key, value: written(value), std: written(std) })
            : t('rows.effect', { column: key, value: written(value) })
        }
      />
      {all.length > FIRST && (
        <Anchor component="button" size="sm" mt="xs" onClick={() => setWhole(!isWhole)}>
          {isWhole ? t('rows.fewer') : t('rows.all_columns', { count: all.length })}
        </Anchor>
      )}
    </Section>
  )
}
