import { Checkbox, Select, Stack, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useAnswerKind } from '../../../answers'
import { useLocalText } from '../../../lib/local-text'
import { useMetrics, useTask } from '../../../lib/project/task'
import { Section } from '../../../ui/section'
import { SIDE_OBJECTIVES, sideObjectives, type SideObjective } from '../model/study-form'
import type { StudyFormState } from './use-study-form'

interface ShippingFieldsProps {
  form: StudyFormState
}

const RATIOS = ['1', '2', '3', '5', '10']

/** What makes one model better than another, and what is done with the best when all have been judged. */
export function ShippingFields({ form }: ShippingFieldsProps) {
  const { t } = useTranslation('studies')
  const text = useLocalText()
  const metrics = useMetrics()
  const { values, change } = form
  const chosen = metrics.find(({ name }) => name === values.objective) ?? metrics[0]
  const learnsAgain = useTask().data?.can_refit ?? false
  const isSeveral = sideObjectives(values).length > 0
  const canAverage = useAnswerKind().isAveraged && values.strategy !== 'single'
  return (
    <Section title={t('form.shipping')}>
      <Stack>
        <Select
          label={t('form.objective')}
          description={chosen && text(chosen.help)}
          inputWrapperOrder={['label', 'input', 'description']}
          allowDeselect={false}
          value={values.objective || (metrics[0]?.name ?? null)}
          data={metrics.map((metric) => ({ value: metric.name, label: text(metric.title) }))}
          onChange={(objective) => change({ objective: objective && objective !== metrics[0]?.name ? objective : '' })}
        />
        {values.strategy !== 'single' && (
          <Checkbox.Group
            label={t('form.also_improves')}
            description={isSeveral && t('form.also_improves_help')}
            inputWrapperOrder={['label', 'input', 'description']}
            value={values.also_improves}
            onChange={(names) => change({ also_improves: names as SideObjective[] })}
          >
            <Stack gap={8} mt={6} mb={isSeveral ? 6 : 0}>
              {SIDE_OBJECTIVES.map((name) => (
                <Checkbox key={name} value={name} label={t(`footprint.${name}`)} description={t(`footprint.${name}_help`)} />
              ))}
            </Stack>
          </Checkbox.Group>
        )}
        {values.strategy !== 'single' && (
          <Checkbox
            label={t('form.prefers_fast')}
            description={t('form.prefers_fast_help')}
            checked={values.prefers_fast}
            onChange={(event) => change({ prefers_fast: event.currentTarget.checked })}
          />
        )}
        {learnsAgain && (
          <>
            <Switch
              label={t('form.refits')}
              description={t('form.refits_help')}
              checked={values.refits}
              onChange={(event) => change({ refits: event.currentTarget.checked })}
            />
            <Checkbox
              label={t('form.learns_test')}
              description={t('form.learns_test_help')}
              disabled={!values.refits}
              checked={values.refits && values.learns_test}
              onChange={(event) => change({ learns_test: event.currentTarget.checked })}
            />
          </>
        )}
        {learnsAgain && canAverage && (
          <Select
            label={t('form.answer_ratio')}
            description={t('form.answer_ratio_help')}
            inputWrapperOrder={['label', 'input', 'description']}
            allowDeselect={false}
            disabled={!values.refits || isSeveral}
            value={String(values.refits && !isSeveral ? values.max_answer_ratio : 1)}
            data={RATIOS.map((ratio) => ({
              value: ratio,
              label: ratio === '1' ? t('form.answer_ratio_one') : t('form.answer_ratio_times', { times: ratio }),
            }))}
            onChange={(ratio) => change({ max_answer_ratio: Number(ratio) || 1 })}
          />
        )}
      </Stack>
    </Section>
  )
}
