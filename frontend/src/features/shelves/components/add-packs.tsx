import { Autocomplete, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { notifyDone } from '../../../ui/notify'
import { type Pack, type Shelf, useAddPacks } from '../api/shelves'

interface AddPacksProps {
  shelf: Shelf
  photo: File
  /** Those that are chosen. */
  packs: readonly Pack[]
  /** Products that are known. */
  names: readonly string[]
  onAdded: () => void
  onClear: () => void
}

/** Adds the chosen packs to the gallery; without any it says how to choose some. */
export function AddPacks({ shelf, photo, packs, names, onAdded, onClear }: AddPacksProps) {
  const { t } = useTranslation('shelves')
  const add = useAddPacks(shelf.id)
  const [name, setName] = useState('')
  if (packs.length === 0) {
    return (
      <Text size="xs" c="dimmed">
        {t('add.hint')}
      </Text>
    )
  }
  const submit = () =>
    add.mutate(
      { name: name.trim(), file: photo, packs },
      {
        onSuccess: (entries) => {
          notifyDone(t('add.done', { count: entries.length, name: name.trim() }))
          onAdded()
        },
      },
    )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim()) submit()
      }}
    >
      <Group align="flex-end" gap="xs">
        <Autocomplete
          flex="1 1 200px"
          label={t('add.name', { count: packs.length })}
          placeholder={t('add.example')}
          maxLength={256}
          data={[...names]}
          value={name}
          onChange={setName}
        />
        <Button type="submit" loading={add.isPending} disabled={!name.trim()}>
          {t('add.submit')}
        </Button>
        <Button variant="default" onClick={onClear}>
          {t('add.clear')}
        </Button>
      </Group>
    </form>
  )
}
