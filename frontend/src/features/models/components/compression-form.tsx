import { Button, Checkbox, Group, NumberInput, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '../../../ui/error-state'
import { Section } from '../../../ui/section'
import { useStartCompression } from '../api/compressions'
import { budgetOf, FIRST_BUDGET, type BudgetFields } from '../model/compression'

interface CompressionFormProps {
  artefact: string
  isRunning: boolean
  /** Whether ways are known for the task that train. */
  canTrain: boolean
}

/** What a smaller model may lose and cost; one press starts the search. */
export function CompressionForm({ artefact, isRunning, canTrain }: CompressionFormProps) {
  const { t } = useTranslation('models')
  const [fields, setFields] = useState<BudgetFields>(FIRST_BUDGET)
  const [trains, setTrains] = useState(false)
  const start = useStartCompression(artefact)
  const field = (name: keyof BudgetFields, props: { max?: number; step: number; suffix: string }) => (
    <NumberInput
      label={t(`compression.budget.${name}`)}
      placeholder={t('compression.budget.none')}
      min={0}
      clampBehavior="strict"
      allowNegative={false}
      w={190}
      value={fields[name]}
      onChange={(value) => setFields({ ...fields, [name]: value === '' ? '' : Number(value) })}
      {...props}
    />
  )
  const isZero = fields.latency_ms === 0 || fields.megabytes === 0
  return (
    <Section title={t('compression.title')} help={t('compression.help')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          start.mutate({ budget: budgetOf(fields), trains })
        }}
      >
        <Stack>
          <Group align="flex-end">
            {field('points', { max: 100, step: 0.5, suffix: t('compression.budget.points_unit') })}
            {field('latency_ms', { step: 5, suffix: ' ms' })}
            {field('megabytes', { step: 1, suffix: ' MB' })}
            <Button type="submit" loading={start.isPending} disabled={isRunning || isZero}>
              {t('compression.start')}
            </Button>
          </Group>
          {canTrain && (
            <Checkbox
              label={t('compression.trains')}
              description={t('compression.trains_help')}
              checked={trains}
              onChange={(event) => setTrains(event.currentTarget.checked)}
            />
          )}
          {start.isError && <ErrorState error={start.error} />}
        </Stack>
      </form>
    </Section>
  )
}
