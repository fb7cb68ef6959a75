import { Button, Group, List } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useLocalText } from '../../../lib/local-text'
import { Section } from '../../../ui/section'
import type { Family } from '../api/types'
import type { StudyFormState } from './use-study-form'

/** What a check or a goal has changed that has no field in the form; nothing where they have changed nothing. */
export function SetByCheck({ form, families }: { form: StudyFormState; families: readonly Family[] }) {
  const { t } = useTranslation('studies')
  const text = useLocalText()
  const { at_most, device } = form.values
  const limits = Object.entries(at_most)
  if (!limits.length && device === 'auto') return null
  const titleOf = (name: string) => {
    const param = families.flatMap(({ params }) => params).find((param) => param.name === name)
    return param ? text(param.title) : name
  }
  return (
    <Section
      title={t('check.limits')}
      actions={
        <Button variant="default" size="xs" onClick={() => form.change({ at_most: {}, device: 'auto', goal: null })}>
          {t('check.reset')}
        </Button>
      }
    >
      <Group>
        <List size="sm">
          {limits.map(([name, value]) => (
            <List.Item key={name}>{t('check.limit', { title: titleOf(name), value })}</List.Item>
          ))}
          {device === 'cpu' && <List.Item>{t('check.on_cpu')}</List.Item>}
        </List>
      </Group>
    </Section>
  )
}
