import { NumberInput, Paper, Radio, Select, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useLocalText } from '../../../lib/local-text'
import { Disclosure } from '../../../ui/disclosure'
import { ParamFields } from '../../../ui/param-fields'
import type { Family } from '../api/types'
import { isUsual } from '../model/sizes'
import { type Pruner, PRUNERS, sideObjectives, type Strategy, STRATEGIES, trainedFamilies } from '../model/study-form'
import { ProcessFields } from './process-fields'
import { RangeFields } from './range-fields'
import { useSizeChoices } from './use-size-choices'
import type { StudyFormState } from './use-study-form'

interface AdvancedFieldsProps {
  form: StudyFormState
  families: readonly Family[]
}

/** How to search; closed at first, because the defaults are good. */
export function AdvancedFields({ form, families }: AdvancedFieldsProps) {
  const { t } = useTranslation('studies')
  const { values, change } = form
  return (
    <Paper component="section">
      <Disclosure title={t('form.advanced')}>
        <Stack pt="md">
          <TextInput
            label={t('form.name')}
            placeholder={t('form.name_placeholder')}
            maxLength={120}
            value={values.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <Radio.Group
            label={t('form.strategy')}
            value={values.strategy}
            onChange={(strategy) => change({ strategy: strategy as Strategy })}
          >
            <Stack gap={8} mt={6}>
              {STRATEGIES.map((name) => (
                <Radio key={name} value={name} label={t(`strategy.${name}`)} description={t(`strategy.${name}_help`)} />
              ))}
            </Stack>
          </Radio.Group>
          {values.strategy === 'single' ? (
            <SingleFields form={form} families={families} />
          ) : (
            <SearchFields form={form} families={families} />
          )}
          <SimpleGrid cols={2}>
            <NumberInput
              label={t('form.time_limit')}
              description={t('form.time_limit_help')}
              inputWrapperOrder={['label', 'input', 'description']}
              placeholder={t('form.no_limit')}
              min={1}
              value={values.time_limit_min}
              onChange={(value) => change({ time_limit_min: typeof value === 'number' ? value : '' })}
            />
            <NumberInput
              label={t('form.seed')}
              description={t('form.seed_help')}
              inputWrapperOrder={['label', 'input', 'description']}
              min={0}
              allowDecimal={false}
              value={values.seed}
              onChange={(value) => change({ seed: Number(value) || 0 })}
            />
            <ProcessFields form={form} />
          </SimpleGrid>
        </Stack>
      </Disclosure>
    </Paper>
  )
}

function SearchFields({ form, families }: AdvancedFieldsProps) {
  const { t } = useTranslation('studies')
  const { values, change } = form
  const isSeveral = sideObjectives(values).length > 0
  const pruner = isSeveral ? 'none' : values.pruner
  return (
    <>
      <SimpleGrid cols={2}>
        <NumberInput
          label={t('form.max_trials')}
          min={1}
          max={500}
          allowDecimal={false}
          value={values.max_trials}
          onChange={(value) => change({ max_trials: Number(value) || 1, goal: null })}
        />
        <NumberInput
          label={t('form.concurrency')}
          min={1}
          max={16}
          allowDecimal={false}
          value={values.concurrency}
          onChange={(value) => change({ concurrency: Number(value) || 1 })}
        />
      </SimpleGrid>
      <SimpleGrid cols={2}>
        <Select
          label={t('form.pruning')}
          description={t(`pruner.${pruner}_help`)}
          inputWrapperOrder={['label', 'input', 'description']}
          disabled={isSeveral}
          allowDeselect={false}
          value={pruner}
          data={PRUNERS.map((name) => ({ value: name, label: t(`pruner.${name}`) }))}
          onChange={(name) => name && change({ pruner: name as Pruner })}
        />
        <NumberInput
          label={t('form.target')}
          description={t('form.target_help')}
          inputWrapperOrder={['label', 'input', 'description']}
          placeholder={t('form.no_limit')}
          step={0.01}
          value={values.target}
          onChange={(value) => change({ target: typeof value === 'number' ? value : '' })}
        />
      </SimpleGrid>
      <Switch
        label={t('form.warm_start')}
        description={t('form.warm_start_help')}
        disabled={values.start !== null}
        checked={values.warm_start && values.start === null}
        onChange={(event) => change({ warm_start: event.currentTarget.checked })}
      />
      <RangeFields form={form} families={families.filter(({ name }) => trainedFamilies(values).includes(name))} />
    </>
  )
}

function SingleFields({ form, families }: AdvancedFieldsProps) {
  const { t } = useTranslation('studies')
  const text = useLocalText()
  const { single } = form.values
  const family = families.find((each) => each.name === single.family)
  const choicesOfSizes = useSizeChoices()
  const grouped = [
    { group: t('form.families_usual'), items: families.filter(isUsual) },
    { group: t('form.families_untaught'), items: families.filter((each) => !isUsual(each)) },
  ]
  return (
    <>
      <SimpleGrid cols={2}>
        <Select
          label={t('form.family')}
          value={single.family}
          disabled={form.values.start !== null}
          data={grouped
            .filter(({ items }) => items.length > 0)
            .map(({ group, items }) => ({ group, items: items.map((each) => ({ value: each.name, label: text(each.title) })) }))}
          onChange={(name) => {
            const chosen = families.find((each) => each.name === name)
            if (chosen) form.chooseSingle(chosen)
          }}
        />
        <Select
          label={t('form.size')}
          value={single.size}
          disabled={form.values.start !== null}
          data={family ? choicesOfSizes(family) : []}
          onChange={(size) => size && form.change({ single: { ...single, size } })}
        />
      </SimpleGrid>
      {family && (
        <ParamFields params={family.params} values={single.params} onChange={(params) => form.change({ single: { ...single, params } })} />
      )}
    </>
  )
}
