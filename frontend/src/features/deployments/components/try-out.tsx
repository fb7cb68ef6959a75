import '@mantine/dropzone/styles.css'

import { Button, Group, Loader, SegmentedControl, Text } from '@mantine/core'
import { Dropzone, IMAGE_MIME_TYPE } from '@mantine/dropzone'
import { IconPhoto } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useProject } from '../../../lib/project/project'
import { usePastedPicture } from '../../../lib/use-pasted-picture'
import { BoxOverlay, type OverlayBox } from '../../../ui/box-overlay'
import { ErrorState } from '../../../ui/error-state'
import { notifyError } from '../../../ui/notify'
import { Section } from '../../../ui/section'
import { useSample, useTry } from '../api/try-deployment'
import type { Deployment } from '../api/types'
import { boxesOf } from '../model/scores'
import { TryAnswer } from './try-answer'
import classes from './try-out.module.css'

/** Gives the deployment a picture - dropped, pasted, chosen or taken from the data - and shows what a customer would get. */
export function TryOut({ deployment }: { deployment: Deployment }) {
  const { t } = useTranslation('deployments')
  const [picture, setPicture] = useState<File | null>(null)
  const [view, setView] = useState<'bars' | 'json'>('bars')
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
    <Section
      title={t('try.title')}
      help={isRunning ? undefined : t('try.not_running')}
      actions={
        predict.data && (
          <SegmentedControl
            size="xs"
            value={view}
            onChange={(value) => setView(value as 'bars' | 'json')}
            data={[
              { value: 'bars', label: t('try.bars') },
              { value: 'json', label: t('try.json') },
            ]}
          />
        )
      }
    >
      <div className={classes.root}>
        <div>
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
          <SampleButton isDisabled={!isRunning} onPicture={ask} />
        </div>
        <div className={classes.answer} aria-live="polite">
          {predict.isPending && (
            <Group gap="xs">
              <Loader size="xs" />
              <Text size="sm">{t('try.running')}</Text>
            </Group>
          )}
          {predict.isError && <ErrorState error={predict.error} />}
          {predict.data && !predict.isPending && <TryAnswer answer={predict.data} view={view} />}
        </div>
      </div>
    </Section>
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

function SampleButton({ isDisabled, onPicture }: { isDisabled: boolean; onPicture: (picture: File) => void }) {
  const { t } = useTranslation('deployments')
  const sample = useSample(useProject().data?.dataset)
  const [turn, setTurn] = useState(0)
  const take = () => {
    setTurn(turn + 1)
    sample.mutate(turn, {
      onSuccess: (file) => (file ? onPicture(file) : notifyError(new Error(t('try.no_samples')))),
    })
  }
  return (
    <Button variant="default" fullWidth mt="xs" disabled={isDisabled} loading={sample.isPending} onClick={take}>
      {t('try.sample')}
    </Button>
  )
}
