import '@mantine/dropzone/styles.css'

import { Text } from '@mantine/core'
import { Dropzone, IMAGE_MIME_TYPE } from '@mantine/dropzone'
import { IconPhoto } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useProject } from '../../../lib/project/project'
import { useModality } from '../../../lib/project/task'
import { usePastedPicture } from '../../../lib/use-pasted-picture'
import { BoxOverlay, type OverlayBox } from '../../../ui/box-overlay'
import { notifyError } from '../../../ui/notify'
import { pictureOf, useTry } from '../api/try-deployment'
import type { Deployment } from '../api/types'
import { boxesOf } from '../model/scores'
import { SampleButton } from './sample-button'
import classes from './try-out.module.css'
import { TryRow } from './try-row'
import { TrySection } from './try-section'
import { TryText } from './try-text'

/** Gives the deployment a picture, a text or a row and shows what a customer would get. */
export function TryOut({ deployment }: { deployment: Deployment }) {
  const modality = useModality()
  if (modality === 'tabular') return <TryRow deployment={deployment} />
  return modality === 'text' ? <TryText deployment={deployment} /> : <TryPicture deployment={deployment} />
}

/** A picture: dropped, pasted, chosen or taken from the data. */
function TryPicture({ deployment }: { deployment: Deployment }) {
  const { t } = useTranslation('deployments')
  const [picture, setPicture] = useState<File | null>(null)
  const predict = useTry(deployment.id)
  const isRunning = deployment.state === 'running'
  const colors = new Map(useProject().data?.label_set.labels.map((label) => [label.name, label.color]))
  const ask = (file: File | undefined) => {
    if (!file || !isRunning) return
    setPicture(file)
    predict.mutate(file)
  }
  usePastedPicture(ask)
  return (
    <TrySection isRunning={isRunning} predict={predict}>
      <Dropzone
        accept={IMAGE_MIME_TYPE}
        multiple={false}
        disabled={!isRunning}
        className={classes.drop}
        onDrop={([file]) => ask(file)}
        onReject={() => notifyError(new Error(t('try.wrong_type')))}
      >
        <Preview picture={picture} boxes={predict.data && !predict.isPending ? boxesOf(predict.data, colors) : []} />
      </Dropzone>
      <SampleButton isDisabled={!isRunning} read={pictureOf} onSample={ask} />
    </TrySection>
  )
}

function Preview({ picture, boxes }: { picture: File | null; boxes: readonly OverlayBox[] }) {
  const { t } = useTranslation('deployments')
  const url = useMemo(() => (picture ? URL.createObjectURL(picture) : null), [picture])
  useEffect(() => () => void (url && URL.revokeObjectURL(url)), [url])
  const [size, setSize] = useState<{ width_px: number; height_px: number } | null>(null)
  if (url) {
    return (
      <div className={classes.preview}>
        <img
          className={classes.picture}
          src={url}
          alt={picture?.name ?? ''}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setSize({ width_px: naturalWidth, height_px: naturalHeight })}
        />
        {size && <BoxOverlay boxes={boxes} {...size} hasNames />}
      </div>
    )
  }
  return (
    <div className={classes.hint}>
      <IconPhoto size={32} stroke={1.2} />
      <Text size="sm" c="dimmed" ta="center">
        {t('try.drop')}
      </Text>
    </div>
  )
}
