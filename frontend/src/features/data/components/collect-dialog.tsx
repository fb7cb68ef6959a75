import {
  Button,
  FileButton,
  Group,
  Modal,
  PasswordInput,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'

import { useItemKind } from '../../../items'
import { afterMutation } from '../../../lib/after-mutation'
import { ErrorState } from '../../../ui/error-state'
import { notifyDone, notifyError } from '../../../ui/notify'
import { type Source, useCollect, useServerFolders } from '../api/collect'
import { addressesOf } from '../model/addresses'
import { placeBelow } from '../model/places'

interface CollectDialogProps {
  dataset: string
  opened: boolean
  onClose: () => void
}

const EMPTY = {
  kind: 'urls' as Exclude<Source['kind'], 'sql'>,
  text: '',
  root: '',
  path: '',
  endpoint: '',
  bucket: '',
  prefix: '',
  region: 'us-east-1',
  access_key: '',
  secret_key: '',
  isLabelled: true,
}
type Values = typeof EMPTY

function sourceOf(values: Values): Source {
  const { kind, text, root, path, endpoint, bucket, prefix, region, access_key, secret_key } = values
  if (kind === 'urls') return { kind, text }
  if (kind === 'folder') return { kind, path: placeBelow(root, path) }
  return { kind, endpoint, bucket, prefix, region, access_key, secret_key }
}

/** Lets the server fetch files itself: from addresses, an S3 bucket, or a folder of its own that the operator has opened. */
export function CollectDialog({ dataset, opened, onClose }: CollectDialogProps) {
  const { t } = useTranslation('collect')
  const folders = useServerFolders(dataset, opened).data?.folders ?? []
  const collect = useCollect(dataset)
  const form = useForm({ initialValues: EMPTY })
  const { examples, takesLabels } = useItemKind().upload
  const { kind, text, bucket, endpoint } = form.values
  const addresses = addressesOf(kind === 'urls' ? text : '')
  const root = form.values.root || (folders[0] ?? '')
  const isReady = kind === 'urls' ? addresses.num_urls > 0 : kind === 'bucket' ? Boolean(bucket && endpoint) : Boolean(root)

  const close = () => {
    form.reset()
    collect.reset()
    onClose()
  }
  const submit = form.onSubmit((values) => {
    const labels = takesLabels && values.kind !== 'urls' && values.isLabelled ? ('folder' as const) : ('none' as const)
    afterMutation(collect.mutateAsync({ source: sourceOf({ ...values, root }), labels }, { onSuccess: close }), () =>
      notifyDone(t('started')),
    )
  })

  return (
    <Modal opened={opened} onClose={close} title={t('title')} size="lg">
      <form onSubmit={submit}>
        <Stack gap="md">
          <SegmentedControl
            fullWidth
            aria-label={t('title')}
            value={kind}
            onChange={(value) => form.setFieldValue('kind', value)}
            data={[
              { value: 'urls', label: t('urls.tab') },
              { value: 'bucket', label: t('bucket.tab') },
              ...(folders.length ? [{ value: 'folder' as const, label: t('folder.tab') }] : []),
            ]}
          />
          {kind === 'urls' && (
            <>
              <Textarea
                label={t('urls.label')}
                description={t('urls.help')}
                placeholder={examples.urls}
                autosize
                minRows={8}
                maxRows={16}
                data-autofocus
                styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
                {...form.getInputProps('text')}
              />
              <Group justify="space-between" wrap="nowrap">
                <Text size="xs" c="dimmed" aria-live="polite">
                  {t('urls.found', { count: addresses.num_urls })}
                  {takesLabels && addresses.num_labelled > 0 && ` · ${t('urls.labelled', { count: addresses.num_labelled })}`}
                  {addresses.strange[0] && ` · ${t('urls.strange', { line: addresses.strange[0].slice(0, 60) })}`}
                </Text>
                <FileButton
                  accept=".csv,.tsv,.txt"
                  onChange={(file) => void file?.text().then((content) => form.setFieldValue('text', content), notifyError)}
                >
                  {(props) => (
                    <Button {...props} variant="default" size="xs">
                      {t('urls.file')}
                    </Button>
                  )}
                </FileButton>
              </Group>
            </>
          )}
          {kind === 'bucket' && <BucketFields form={form} prefix={examples.prefix} />}
          {kind === 'folder' && (
            <>
              <Select label={t('folder.root')} data={folders} value={root} onChange={(value) => form.setFieldValue('root', value ?? '')} />
              <TextInput
                label={t('folder.path')}
                description={t('folder.help')}
                placeholder={examples.folder}
                {...form.getInputProps('path')}
              />
            </>
          )}
          {takesLabels && kind !== 'urls' && <Switch label={t('labels')} {...form.getInputProps('isLabelled', { type: 'checkbox' })} />}
          {collect.isError && <ErrorState error={collect.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('common:cancel')}
            </Button>
            <Button type="submit" loading={collect.isPending} disabled={!isReady}>
              {t('start')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function BucketFields({ form, prefix }: { form: ReturnType<typeof useForm<Values>>; prefix: string }) {
  const { t } = useTranslation('collect')
  return (
    <>
      <TextInput
        label={t('bucket.endpoint')}
        placeholder="https://s3.eu-central-1.amazonaws.com"
        required
        data-autofocus
        {...form.getInputProps('endpoint')}
      />
      <Group grow align="flex-start">
        <TextInput label={t('bucket.name')} required {...form.getInputProps('bucket')} />
        <TextInput label={t('bucket.prefix')} placeholder={prefix} {...form.getInputProps('prefix')} />
        <TextInput label={t('bucket.region')} {...form.getInputProps('region')} />
      </Group>
      <Group grow align="flex-start">
        <TextInput label={t('bucket.access_key')} autoComplete="off" {...form.getInputProps('access_key')} />
        <PasswordInput label={t('bucket.secret_key')} autoComplete="off" {...form.getInputProps('secret_key')} />
      </Group>
      <Text size="xs" c="dimmed">
        {t('bucket.help')}
      </Text>
    </>
  )
}
