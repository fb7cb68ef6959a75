import { Button, Group, Modal, NumberInput, SegmentedControl, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { type ClipboardEvent, type KeyboardEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { afterMutation } from '../../../lib/after-mutation'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { notifyDone } from '../../../ui/notify'
import { PasswordField } from '../../../ui/password-field'
import { useCollect, useServerFolders } from '../api/collect'
import { type Database, isComplete, NO_DATABASE, partsOfAddress, sqlSource, withEngine } from '../model/database'

interface DatabaseDialogProps {
  dataset: string
  opened: boolean
  onClose: () => void
}

type Form = UseFormReturnType<Database>

/** Lets the server ask a database for rows: a PostgreSQL, a MySQL, or a file of SQLite in a folder that the operator has opened. */
export function DatabaseDialog({ dataset, opened, onClose }: DatabaseDialogProps) {
  const { t } = useTranslation('collect')
  const folders = useServerFolders(dataset, opened)
  const collect = useCollect(dataset)
  const form = useForm<Database>({ initialValues: NO_DATABASE })
  const sheet = useRef<HTMLFormElement>(null)
  const values = { ...form.values, root: form.values.root || (folders.data?.folders[0] ?? '') }

  // The query stays, since a database may refuse it after the dialog is gone; the password does not.
  const close = () => {
    form.setFieldValue('password', '')
    collect.reset()
    onClose()
  }
  const submit = form.onSubmit(() => {
    if (!isComplete(values) || collect.isPending) return
    const order = { source: sqlSource(values), labels: 'none' as const }
    afterMutation(collect.mutateAsync(order, { onSuccess: close }), () => notifyDone(t('started')))
  })
  const sendByKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) sheet.current?.requestSubmit()
  }

  return (
    <Modal opened={opened} onClose={close} title={t('database.title')} size="lg">
      <form ref={sheet} onSubmit={submit} autoComplete="off">
        <Stack gap="md">
          <SegmentedControl
            fullWidth
            aria-label={t('database.engine')}
            value={values.engine}
            onChange={(engine) => form.setValues(withEngine(form.values, engine))}
            data={[
              { value: 'postgresql', label: 'PostgreSQL' },
              { value: 'mysql', label: 'MySQL, MariaDB' },
              { value: 'sqlite', label: t('database.sqlite') },
            ]}
          />
          {values.engine === 'sqlite' ? <FileFields form={form} folders={folders} root={values.root} /> : <ServerFields form={form} />}
          <Textarea
            label={t('database.query')}
            description={t('database.query_help')}
            placeholder={"SELECT *\nFROM orders\nWHERE ordered_on >= '2026-01-01'"}
            required
            autosize
            minRows={6}
            maxRows={18}
            maxLength={100_000}
            spellCheck={false}
            autoCapitalize="off"
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
            onKeyDown={sendByKey}
            {...form.getInputProps('query')}
          />
          {collect.isError && <ErrorState error={collect.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('common:cancel')}
            </Button>
            <Button type="submit" loading={collect.isPending} disabled={!isComplete(values)}>
              {t('database.start')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function ServerFields({ form }: { form: Form }) {
  const { t } = useTranslation('collect')
  const fill = (event: ClipboardEvent) => {
    const parts = partsOfAddress(event.clipboardData.getData('text'))
    if (!parts) return
    event.preventDefault()
    form.setValues(parts)
  }
  return (
    <>
      <Group align="flex-start" wrap="nowrap">
        <TextInput
          flex={1}
          label={t('database.host')}
          description={t('database.host_help')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          placeholder="db.example.org"
          required
          maxLength={253}
          data-autofocus
          onPaste={fill}
          {...form.getInputProps('host')}
        />
        <NumberInput
          w={110}
          label={t('database.port')}
          min={1}
          max={65535}
          allowDecimal={false}
          hideControls
          required
          {...form.getInputProps('port')}
        />
      </Group>
      <Group grow align="flex-start">
        <TextInput label={t('database.name')} placeholder="shop" required {...form.getInputProps('database')} />
        <Select
          label={t('database.tls')}
          allowDeselect={false}
          data={(['prefer', 'require', 'verify'] as const).map((value) => ({ value, label: t(`database.tls_${value}`) }))}
          {...form.getInputProps('tls')}
        />
      </Group>
      <Group grow align="flex-start">
        <TextInput label={t('database.user')} autoComplete="off" maxLength={256} {...form.getInputProps('user')} />
        <PasswordField
          label={t('database.password')}
          description={t('database.password_help')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="new-password"
          data-1p-ignore
          data-lpignore="true"
          maxLength={1024}
          {...form.getInputProps('password')}
        />
      </Group>
    </>
  )
}

interface FileFieldsProps {
  form: Form
  folders: ReturnType<typeof useServerFolders>
  root: string
}

function FileFields({ form, folders, root }: FileFieldsProps) {
  const { t } = useTranslation('collect')
  if (folders.isPending) return <LoadingState rows={2} />
  if (folders.isLoadingError) return <ErrorState error={folders.error} onRetry={() => void folders.refetch()} />
  const open = folders.data?.folders ?? []
  if (!open.length) return <EmptyState title={t('database.closed')}>{t('database.closed_text')}</EmptyState>
  return (
    <>
      <Select
        label={t('folder.root')}
        data={open}
        value={root}
        allowDeselect={false}
        onChange={(value) => form.setFieldValue('root', value ?? '')}
      />
      <TextInput
        label={t('database.path')}
        placeholder="shop.sqlite"
        required
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('path')}
      />
    </>
  )
}
