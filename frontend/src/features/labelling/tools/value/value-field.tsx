import { Button, Group, NumberInput, Stack, Text } from '@mantine/core'
import { type RefObject, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { KeyHint } from '../../../../ui/key-hint'

interface ValueFieldProps {
  /** Name of the target. */
  name: string
  /** The present value; null while there is none. */
  value: number | null
  isDisabled: boolean
  fieldRef: RefObject<HTMLInputElement | null>
  onSave: (value: number) => void
  onClear: () => void
}

/** The number that belongs to a row. Enter saves it; leaving the field changes nothing. Mount it anew for another row. */
export function ValueField({ name, value, isDisabled, fieldRef, onSave, onClear }: ValueFieldProps) {
  const { t } = useTranslation('labelling')
  const [text, setText] = useState<string | number>(value ?? '')
  const number = text === '' ? NaN : Number(text)
  const canSave = Number.isFinite(number) && number !== value
  const save = () => {
    if (Number.isFinite(number)) onSave(number)
  }
  return (
    <Stack gap="xs">
      <NumberInput
        ref={fieldRef}
        autoFocus
        label={name}
        size="md"
        hideControls
        disabled={isDisabled}
        value={text}
        onChange={setText}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault()
            save()
          }
          if (event.key === 'Escape') event.currentTarget.blur()
        }}
        rightSection={<KeyHint>Enter</KeyHint>}
        rightSectionWidth={58}
      />
      <Group gap="xs">
        <Button disabled={isDisabled || !canSave} onClick={save}>
          {t('value.save')}
        </Button>
        <Button variant="default" disabled={isDisabled || value === null} onClick={onClear}>
          {t('value.clear')}
        </Button>
      </Group>
      <Text size="xs" c="dimmed">
        {t('value.help')}
      </Text>
    </Stack>
  )
}
