import { Checkbox, Select, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useVersionNote } from '../../../lib/dataset/version-note'
import { useLocalText } from '../../../lib/local-text'
import { Disclosure } from '../../../ui/disclosure'
import { Section } from '../../../ui/section'
import type { Family, GoalSpec } from '../api/types'
import { isUsual } from '../model/sizes'
import { GoalScale } from './goal-scale'
import { StartField } from './start-field'
import type { StudyFormState } from './use-study-form'

interface VersionChoice {
  id: string
  number: number
  num_items: number
  note: string
  note_restored_number: number | null
}

interface GoalFieldsProps {
  form: StudyFormState
  versions: readonly VersionChoice[]
  families: readonly Family[]
  goals: readonly GoalSpec[]
}

/** What to train on and what to aim at. */
export function GoalFields({ form, versions, families, goals }: GoalFieldsProps) {
  const { t } = useTranslation('studies')
  const text = useLocalText()
  const noteOf = useVersionNote()
  const { values } = form
  const others = families.filter((family) => !isUsual(family))
  const boxOf = (family: Family) => (
    <Checkbox key={family.name} value={family.name} label={text(family.title)} description={text(family.summary)} />
  )
  return (
    <Section title={t('form.goal')}>
      <Stack>
        <Select
          label={t('form.version')}
          value={values.version}
          onChange={(version) => version && form.change({ version })}
          data={versions.map((version) => ({
            value: version.id,
            label: [t('form.version_choice', { number: version.number, count: version.num_items }), noteOf(version)]
              .filter(Boolean)
              .join(' · '),
          }))}
        />
        <StartField form={form} />
        {values.strategy !== 'single' && (
          <>
            <GoalScale form={form} families={families} goals={goals} />
            {!values.start && (
              <Checkbox.Group
                label={t('form.families')}
                value={values.families}
                error={values.families.length === 0 && t('form.families_missing')}
                onChange={(names) => form.change({ families: names, goal: null })}
              >
                <Stack gap={8} mt={6}>
                  {families.filter(isUsual).map(boxOf)}
                  {others.length > 0 && (
                    <Disclosure title={t('form.families_untaught')} isOpen={others.some(({ name }) => values.families.includes(name))}>
                      <Stack gap={8} pt={8} pl={20}>
                        <Text size="xs" c="dimmed">
                          {t('form.families_untaught_help')}
                        </Text>
                        {others.map(boxOf)}
                      </Stack>
                    </Disclosure>
                  )}
                </Stack>
              </Checkbox.Group>
            )}
          </>
        )}
      </Stack>
    </Section>
  )
}
