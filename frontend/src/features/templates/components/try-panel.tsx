import { Stack } from '@mantine/core'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { usePastedPicture } from '../../../lib/use-pasted-picture'
import { ErrorState } from '../../../ui/error-state'
import { FormReading } from '../../../ui/forms/form-reading'
import { LoadingState } from '../../../ui/loading-state'
import { PictureField } from '../../../ui/picture-field'
import { Section } from '../../../ui/section'
import { type TemplateDetail, useReadForm } from '../api/templates'

/** Another picture in, its fields out: over the picture, and as a table and files. */
export function TryPanel({ template }: { template: TemplateDetail }) {
  const { t } = useTranslation('templates')
  const [picture, setPicture] = useState<File | null>(null)
  const read = useReadForm(template.id)
  const ask = (file: File) => {
    setPicture(file)
    read.mutate(file)
  }
  usePastedPicture(ask)
  const url = useMemo(() => (picture ? URL.createObjectURL(picture) : null), [picture])
  useEffect(() => () => (url ? URL.revokeObjectURL(url) : undefined), [url])
  return (
    <Section title={t('try.title')} help={t('try.help')}>
      <Stack gap="sm">
        <PictureField label={t('try.drop')} picture={picture} onPicture={ask} hasPreview={false} />
        <div aria-live="polite">
          {read.isPending && <LoadingState rows={3} height={40} />}
          {read.isError && <ErrorState error={read.error} />}
          {read.data && url && <FormReading form={read.data} url={url} />}
        </div>
      </Stack>
    </Section>
  )
}
