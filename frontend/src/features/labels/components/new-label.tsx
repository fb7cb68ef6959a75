import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { Label } from '../../../lib/api/types'
import { afterMutation } from '../../../lib/after-mutation'

interface NewLabelProps {
  labels: readonly Label[]
  isBusy: boolean
  onAdd: (name: string) => Promise<unknown>
}

export function NewLabel({ labels, isBusy, onAdd }: NewLabelProps) {
  const { t } = useTranslation('labels')
  const [text, setText] = useState('')
  const name = text.trim()
  const isTaken = labels.some((label) => label.name === name)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!name || isTaken || isBusy) return
    afterMutation(onAdd(name), () => setText((now) => (now.trim() === name ? '' : now)))
  }
  return (
    <form onSubmit={submit}>
      <Group gap="xs" mb="md" align="flex-start">
        <TextInput
          flex={1}
          autoFocus
          aria-label={t('new')}
          placeholder={t('new')}
          value={text}
          error={isTaken && t('taken')}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button size="sm" type="submit" disabled={!name || isTaken} loading={isBusy}>
          {t('add')}
        </Button>
      </Group>
    </form>
  )
}
