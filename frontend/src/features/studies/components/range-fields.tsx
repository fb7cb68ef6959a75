import { Button, MultiSelect, NumberInput, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useLocalText } from '../../../lib/local-text'
import { Disclosure } from '../../../ui/disclosure'
import { Explained } from '../../../ui/explained'
import type { Family, FamilyParam } from '../api/types'
import { choicesOf, isSearched, type ParamRange, rangeProblem, SIZE, withRange } from '../model/ranges'
import { usualSizes } from '../model/sizes'
import type { ParamValue } from '../model/study-form'
import classes from './range-fields.module.css'
import { useSizeChoices } from './use-size-choices'
import type { StudyFormState } from './use-study-form'

interface RangeFieldsProps {
  form: StudyFormState
  /** Those that are trained. */
  families: readonly Family[]
}

/** What the search may try of each family; closed at first, and empty fields leave the family's own ranges. */
export function RangeFields({ form, families }: RangeFieldsProps) {
  const { t } = useTranslation('studies')
  const { values, change } = form
  const numSet = families.reduce((sum, { name }) => sum + numSetOf(form, name), 0)
  const reset = numSet > 0 && (
    <Button variant="subtle" size="compact-sm" onClick={() => change({ ranges: {} })}>
      {t('ranges.reset')}
    </Button>
  )
  return (
    <Disclosure title={<Title name={t('ranges.title')} numSet={numSet} />} side={reset}>
      <Stack pt="sm" pl={20}>
        <Text size="sm" c="dimmed">
          {t('ranges.help')}
        </Text>
        {families.map((family) => (
          <FamilyRanges
            key={family.name}
            form={form}
            family={family}
            isOpen={families.length === 1 || values.ranges[family.name] != null}
          />
        ))}
      </Stack>
    </Disclosure>
  )
}

function numSetOf(form: StudyFormState, family: string): number {
  return Object.keys(form.values.ranges[family] ?? {}).length
}

function Title({ name, numSet }: { name: string; numSet: number }) {
  const { t } = useTranslation('studies')
  return (
    <>
      {name}
      {numSet > 0 && (
        <Text span size="sm" c="dimmed">
          {t('ranges.set', { count: numSet })}
        </Text>
      )}
    </>
  )
}

function FamilyRanges({ form, family, isOpen }: { form: StudyFormState; family: Family; isOpen: boolean }) {
  const { t } = useTranslation('studies')
  const text = useLocalText()
  const { values, change } = form
  const own = values.ranges[family.name] ?? {}
  const set = (param: string, range: ParamRange | null) => change({ ranges: withRange(values.ranges, family.name, param, range) })
  const sizes = own[SIZE]
  const usual = usualSizes(family)
  const choicesOfSizes = useSizeChoices()
  const settled = family.params.filter((param) => !isSearched(param))
  const field = (param: FamilyParam) =>
    param.kind === 'choice' ? (
      <ParamChoices key={param.name} param={param} range={own[param.name]} onChange={(range) => set(param.name, range)} />
    ) : (
      <NumberRange key={param.name} param={param} range={own[param.name]} onChange={(range) => set(param.name, range)} />
    )
  return (
    <Disclosure title={<Title name={text(family.title)} numSet={numSetOf(form, family.name)} />} isOpen={isOpen}>
      <fieldset className={classes.family} aria-label={text(family.title)}>
        {family.sizes.length > 1 && !values.start && (
          <ChoiceRange
            title={t('form.size')}
            choices={choicesOfSizes(family)}
            chosen={sizes && 'choices' in sizes ? sizes.choices : usual}
            onChange={(choices) => set(SIZE, isSame(choices, usual) ? null : { choices })}
          />
        )}
        {family.params.filter(isSearched).map(field)}
        {settled.length > 0 && (
          <Disclosure
            title={<Title name={t('ranges.settled')} numSet={settled.filter(({ name }) => own[name]).length} />}
            isOpen={settled.some(({ name }) => own[name])}
          >
            <div className={classes.family}>
              <Text size="xs" c="dimmed">
                {t('ranges.settled_help')}
              </Text>
              {settled.map(field)}
            </div>
          </Disclosure>
        )}
      </fieldset>
    </Disclosure>
  )
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one))
}

interface ParamRangeProps<Kind extends FamilyParam['kind']> {
  param: Extract<FamilyParam, { kind: Kind }>
  range: ParamRange | undefined
  onChange: (range: ParamRange | null) => void
}

function ParamChoices({ param, range, onChange }: ParamRangeProps<'choice'>) {
  const { t } = useTranslation('studies')
  const text = useLocalText()
  const titleOf = (choice: ParamValue) => {
    const title = param.choice_titles?.[String(choice)]
    if (title) return text(title)
    return typeof choice === 'boolean' ? t(choice ? 'ranges.on' : 'ranges.off') : String(choice)
  }
  if (param.choices.length < 2) return null
  return (
    <ChoiceRange
      title={text(param.title)}
      help={text(param.help)}
      choices={param.choices.map((choice) => ({ value: String(choice), label: titleOf(choice) }))}
      chosen={choicesOf(param, range).map(String)}
      onChange={(chosen) => {
        const left = param.choices.filter((choice) => chosen.includes(String(choice)))
        const usual = choicesOf(param, undefined)
        onChange(left.length === usual.length && left.every((choice) => usual.includes(choice)) ? null : { choices: left })
      }}
    />
  )
}

interface ChoiceRangeProps {
  title: string
  help?: string
  choices: { value: string; label: string }[]
  chosen: readonly ParamValue[]
  onChange: (chosen: string[]) => void
}

function ChoiceRange({ title, help, choices, chosen, onChange }: ChoiceRangeProps) {
  const { t } = useTranslation('studies')
  return (
    <div className={classes.row}>
      <Text size="sm" component="div">
        <Explained help={help}>{title}</Explained>
      </Text>
      <MultiSelect
        className={classes.choices}
        aria-label={t('ranges.choices', { name: title })}
        size="sm"
        data={choices}
        value={chosen.map(String)}
        // One is always left: what may not be tried at all is a matter of the families.
        onChange={(left) => left.length > 0 && onChange(left)}
      />
    </div>
  )
}

function NumberRange({ param, range, onChange }: ParamRangeProps<'float' | 'int'>) {
  const { t } = useTranslation('studies')
  const text = useLocalText()
  const ends = range && 'low' in range ? range : { low: null, high: null }
  const problem = rangeProblem(param, range)
  const title = text(param.title)
  const field = (end: 'low' | 'high') => (
    <NumberInput
      aria-label={t(`ranges.${end}`, { name: title })}
      size="sm"
      hideControls
      placeholder={String(param[end])}
      allowDecimal={param.kind === 'float'}
      value={ends[end] ?? ''}
      error={problem !== null}
      onChange={(value) => onChange({ ...ends, [end]: typeof value === 'number' ? value : null })}
    />
  )
  return (
    <div className={classes.row}>
      <Text size="sm" component="div">
        <Explained help={text(param.help)}>{title}</Explained>
      </Text>
      {field('low')}
      {field('high')}
      {problem && (
        <Text size="xs" c="red" className={classes.problem} role="alert">
          {t(`ranges.${problem}`, { low: param.low, high: param.high })}
        </Text>
      )}
    </div>
  )
}
