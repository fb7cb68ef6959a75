import '@mantine/dropzone/styles.css'

import { Text } from '@mantine/core'
import { Dropzone, IMAGE_MIME_TYPE } from '@mantine/dropzone'
import { useTranslation } from 'react-i18next'

import { notifyError } from '../../../ui/notify'
import classes from './templates.module.css'

interface PictureFieldProps {
  label: string
  picture: File | null
  onPicture: (picture: File) => void
}

/** Takes one picture, dropped or chosen. */
export function PictureField({ label, picture, onPicture }: PictureFieldProps) {
  const { t } = useTranslation('deployments')
  return (
    <Dropzone
      accept={IMAGE_MIME_TYPE}
      multiple={false}
      className={classes.drop}
      inputProps={{ 'aria-label': label }}
      onDrop={([file]) => file && onPicture(file)}
      onReject={() => notifyError(new Error(t('try.wrong_type')))}
    >
      <Text size="sm" c={picture ? undefined : 'dimmed'} ta="center">
        {picture?.name ?? label}
      </Text>
    </Dropzone>
  )
}
