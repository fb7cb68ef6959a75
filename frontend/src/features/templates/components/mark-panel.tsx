import { Button, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { type Role, ROLES } from '../model/marks'
import { FieldForm } from './field-form'
import classes from './templates.module.css'
import type { Marks } from './use-marks'

interface MarkPanelProps {
  marks: Marks
  canChange: boolean
}

/** The chosen mark with all that belongs to it, and lists of all marks. */
export function MarkPanel({ marks, canChange }: MarkPanelProps) {
  const { t } = useTranslation('templates')
  return (
    <div className={classes.panel}>
      {marks.chosen && canChange ? (
        <Chosen key={marks.chosen.id} marks={marks} />
      ) : (
        canChange && (
          <Text size="sm" c="dimmed">
            {t('mark.help')}
          </Text>
        )
      )}
      <MarkList marks={marks} role="reference" />
      <MarkList marks={marks} role="field" />
    </div>
  )
}

function Chosen({ marks: { chosen, details, become, remove, describe } }: { marks: Marks }) {
  const { t } = useTranslation('templates')
  const own = chosen && details.get(chosen.id)
  if (!chosen || !own) return null
  const role = chosen.label as Role
  return (
    <Stack gap="xs">
      <SegmentedControl
        fullWidth
        size="xs"
        orientation="vertical"
        aria-label={t('mark.role')}
        data={ROLES.map((value) => ({ value, label: t(`role.${value}`) }))}
        value={role}
        onChange={(value) => become(chosen.id, value as Role)}
      />
      {role === 'line' ? (
        <Text size="sm">{own.text}</Text>
      ) : (
        <Text size="xs" c="dimmed">
          {t(`role_help.${role}`)}
        </Text>
      )}
      {role === 'reference' && (
        <TextInput
          size="xs"
          label={t('mark.text')}
          description={t('mark.text_help')}
          value={own.text}
          error={own.text.trim() ? null : t('fault.text')}
          onChange={(event) => describe(chosen.id, { text: event.currentTarget.value })}
        />
      )}
      {role === 'field' && <FieldForm details={own} onChange={(change) => describe(chosen.id, change)} />}
      {role !== 'line' && (
        <Button size="xs" variant="subtle" color="red" leftSection={<IconTrash size={14} />} onClick={() => remove(chosen.id)}>
          {t('mark.remove')}
        </Button>
      )}
    </Stack>
  )
}

function MarkList({ marks: { objects, details, chosen, choose }, role }: { marks: Marks; role: 'reference' | 'field' }) {
  const { t } = useTranslation('templates')
  const own = objects.filter(({ label }) => label === role)
  return (
    <section aria-label={t(`list.${role}`)}>
      <Text size="xs" fw={600} mb={2}>
        {t(`list.${role}`)} · {own.length}
      </Text>
      {own.length === 0 && (
        <Text size="xs" c="dimmed">
          {t(`none.${role}`)}
        </Text>
      )}
      <ul className={classes.marks}>
        {own.map(({ id }) => {
          const mark = details.get(id)
          return (
            <li key={id}>
              <button type="button" className={classes.mark} aria-pressed={chosen?.id === id} onClick={() => choose(id)}>
                {role === 'reference' ? mark?.text : mark?.name}
                {role === 'field' && mark && (
                  <Text span size="xs" c="dimmed">
                    {' '}
                    · {t(`kind.${mark.kind}`)}
                  </Text>
                )}
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
