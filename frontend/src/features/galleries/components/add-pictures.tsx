import { Button, FileButton, Group, Stack, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { notifyDone } from '../../../ui/notify'
import { Section } from '../../../ui/section'
import { type Gallery, useAddPictures } from '../api/galleries'

/** Pictures of one thing, with its name. */
export function AddPictures({ gallery }: { gallery: Gallery }) {
  const { t } = useTranslation('galleries')
  const [name, setName] = useState('')
  const add = useAddPictures(gallery.id)
  const send = (files: File[]) => {
    if (files.length === 0) return
    add.mutate(
      { name: name.trim(), files },
      {
        onSuccess: (entries) => {
          notifyDone(t('add.done', { count: entries.length }))
          setName('')
        },
      },
    )
  }
  return (
    <Section title={t('add.title')} help={t('add.help')}>
      <Stack gap="sm">
        <TextInput
          label={t('add.name')}
          placeholder={t('add.name_example')}
          maxLength={256}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Group>
          <FileButton multiple accept="image/*" onChange={send}>
            {(props) => (
              <Button {...props} leftSection={<IconPlus size={16} />} disabled={!name.trim()} loading={add.isPending}>
                {t('add.choose')}
              </Button>
            )}
          </FileButton>
        </Group>
      </Stack>
    </Section>
  )
}
