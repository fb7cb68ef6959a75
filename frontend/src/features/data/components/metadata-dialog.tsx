import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'

interface MetadataDialogProps {
  opened: boolean
  onClose: () => void
  /** A value of null takes the name away. */
  onSet: (metadata: Record<string, string | null>) => void
}

/** Asks for a name and a value that the selected pictures shall carry. */
export function MetadataDialog({ opened, onClose, onSet }: MetadataDialogProps) {
  const { t } = useTranslation('data')
  const form = useForm({
    initialValues: { name: '', value: '' },
    validate: { name: (name) => (!name.trim() || name.includes('=') ? t('metadata.name_wrong') : null) },
  })
  const close = () => {
    form.reset()
    onClose()
  }
  return (
    <Modal opened={opened} onClose={close} title={t('metadata.title')}>
      <form
        onSubmit={form.onSubmit(({ name, value }) => {
          onSet({ [name.trim()]: value.trim() || null })
          // What was typed stays: it may be refused, or asked about first and not confirmed.
          onClose()
        })}
      >
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {t('metadata.text')}
          </Text>
          <TextInput label={t('metadata.name')} maxLength={64} data-autofocus {...form.getInputProps('name')} />
          <TextInput label={t('metadata.value')} maxLength={256} placeholder={t('metadata.empty')} {...form.getInputProps('value')} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('common:cancel')}
            </Button>
            <Button type="submit">{t('metadata.set')}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
