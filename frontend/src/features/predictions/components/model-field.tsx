import { Group, Radio, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { formatMetric } from '../../../charts/format/format'
import { listedMetric } from '../../../lib/listed-metric'
import { useLocalText } from '../../../lib/local-text'
import { useMetrics, useModelName } from '../../../lib/project/task'
import { MetricBar } from '../../../ui/metric-bar'
import { StateBadge } from '../../../ui/state-badge'
import type { Artefact } from '../api/types'
import classes from './model-field.module.css'

interface ModelFieldProps {
  models: readonly Artefact[]
  value: string
  onChange: (artefact: string) => void
}

/** Chooses a model by its best figure; the one in production is marked. */
export function ModelField({ models, value, onChange }: ModelFieldProps) {
  const { t } = useTranslation('predictions')
  const text = useLocalText()
  const modelName = useModelName()
  const objective = useMetrics()[0]
  const list = useRef<HTMLDivElement>(null)
  // The proposed model may be far down a long list.
  useEffect(() => {
    const card = list.current?.querySelector<HTMLElement>('[data-checked]')
    if (list.current && card) list.current.scrollTop = card.offsetTop - list.current.offsetTop
  }, [value])
  return (
    <Radio.Group label={t('form.model')} description={objective && text(objective.title)} value={value} onChange={onChange}>
      <div className={classes.list} ref={list}>
        {models.map((model) => {
          const listed = listedMetric(model, objective?.name ?? '')
          return (
            <Radio.Card key={model.id} value={model.id} className={classes.card} aria-label={t('model', { number: model.number })}>
              <Group wrap="nowrap" gap="sm">
                <Radio.Indicator />
                <Stack gap={0} flex={1} miw={0}>
                  <Group gap="xs">
                    <Text size="sm" fw={600}>
                      {t('model', { number: model.number })}
                    </Text>
                    {model.stage !== 'none' && <StateBadge state={model.stage} />}
                  </Group>
                  <Text size="xs" c="dimmed">
                    {modelName(model.family, model.size, model.num_members)}
                  </Text>
                </Stack>
                <div className={classes.figure}>
                  {listed && (
                    <MetricBar
                      {...listed}
                      hasBar={objective?.unit === 'fraction'}
                      format={(figure) => formatMetric(objective?.name ?? '', figure)}
                    />
                  )}
                </div>
              </Group>
            </Radio.Card>
          )
        })}
      </div>
    </Radio.Group>
  )
}
