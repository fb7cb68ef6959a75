import '@mantine/dropzone/styles.css'

import { Text } from '@mantine/core'
import { Dropzone, IMAGE_MIME_TYPE } from '@mantine/dropzone'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'

import { notifyError } from './notify'
import classes from './picture-field.module.css'

interface PictureFieldProps {
  label: string
  picture: File | null
  onPicture: (picture: File) => void
  /** False where the picture is shown elsewhere: its name stands in the field, which is low then. */
  hasPreview?: boolean
  isDisabled?: boolean
}

/** Takes one picture, dropped or chosen, and shows it. */
export function PictureField({ label, picture, onPicture, hasPreview = true, isDisabled = false }: PictureFieldProps) {
  const { t } = useTranslation('deployments')
  const url = useMemo(() => (picture && hasPreview ? URL.createObjectURL(picture) : null), [picture, hasPreview])
  useEffect(() => () => (url ? URL.revokeObjectURL(url) : undefined), [url])
  return (
    <Dropzone
      accept={IMAGE_MIME_TYPE}
      multiple={false}
      disabled={isDisabled}
      className={classes.field}
      data-named={(picture !== null && !hasPreview) || undefined}
      inputProps={{ 'aria-label': label }}
      onDrop={([file]) => file && onPicture(file)}
      onReject={() => notifyError(new Error(t('try.wrong_type')))}
    >
      {url ? (
        <img src={url} alt={picture?.name ?? ''} className={classes.preview} />
      ) : (
        <Text size="sm" c={picture ? undefined : 'dimmed'} ta="center">
          {picture?.name ?? label}
          {picture && (
            <Text span size="xs" c="dimmed" display="block">
              {label}
            </Text>
          )}
        </Text>
      )}
    </Dropzone>
  )
}
