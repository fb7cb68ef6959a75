import '@mantine/dropzone/styles.css'

import { Text } from '@mantine/core'
import { Dropzone, IMAGE_MIME_TYPE } from '@mantine/dropzone'
import { IconPhoto } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { Evidence } from '../../../lib/evidence'
import { usePastedPicture } from '../../../lib/use-pasted-picture'
import { EvidenceLegend } from '../../../ui/evidence-legend'
import { EvidenceShade } from '../../../ui/evidence-shade'
import { notifyError } from '../../../ui/notify'
import { TryOutExplanation } from '../../../ui/try-out/explanation'
import { SampleButton } from '../../../ui/try-out/sample-button'
import { type Predictions, TryOutSection } from '../../../ui/try-out/section'
import { pictureOf } from '../../../ui/try-out/use-sample'
import type { TryOutAnswers, TryOutForm, TryOutFormProps } from '../../try-out'
import { useExplainPicture, useTryPicture } from './api'
import classes from './form.module.css'

/** A picture: dropped, pasted, chosen or taken from the data. */
function Form({ deployment, answers }: TryOutFormProps) {
  const { t } = useTranslation('deployments')
  const [picture, setPicture] = useState<File | null>(null)
  const predict = useTryPicture(deployment.id)
  const isRunning = deployment.state === 'running'
  const ask = (file: File | undefined) => {
    if (!file || !isRunning) return
    setPicture(file)
    predict.mutate({ picture: file })
  }
  usePastedPicture(ask)
  const explain = useExplainPicture(deployment.id, picture, predict.submittedAt)
  const below = isRunning && answers.isExplained && (
    <TryOutExplanation explain={explain}>{(evidence) => <EvidenceLegend evidence={evidence} />}</TryOutExplanation>
  )
  return (
    <TryOutSection
      isRunning={isRunning}
      predict={predict}
      renderPrediction={answers.renderPrediction}
      onAll={(top) => picture && predict.mutate({ picture, top })}
      below={below}
    >
      <Dropzone
        accept={IMAGE_MIME_TYPE}
        multiple={false}
        disabled={!isRunning}
        className={classes.drop}
        onDrop={([file]) => ask(file)}
        onReject={() => notifyError(new Error(t('try.wrong_type')))}
      >
        <Preview
          picture={picture}
          renderOverlay={answers.renderOverlay}
          annotations={predict.data && !predict.isPending ? (predict.data.predictions[0]?.annotations ?? []) : []}
          evidence={predict.isPending ? undefined : explain.data}
        />
      </Dropzone>
      <SampleButton isDisabled={!isRunning} read={pictureOf} onSample={ask} />
    </TryOutSection>
  )
}

interface PreviewProps {
  picture: File | null
  renderOverlay: TryOutAnswers['renderOverlay']
  annotations: Predictions
  evidence: Evidence | undefined
}

function Preview({ picture, renderOverlay, annotations, evidence }: PreviewProps) {
  const { t } = useTranslation('deployments')
  const url = useMemo(() => (picture ? URL.createObjectURL(picture) : null), [picture])
  useEffect(() => () => void (url && URL.revokeObjectURL(url)), [url])
  const [size, setSize] = useState<{ width: number; height: number } | null>(null)
  if (url) {
    return (
      <div className={classes.preview}>
        <img
          className={classes.picture}
          src={url}
          alt={picture?.name ?? ''}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setSize({ width: naturalWidth, height: naturalHeight })}
        />
        {size && evidence && <EvidenceShade className={classes.shade} evidence={evidence} {...size} />}
        {size && renderOverlay(annotations, size)}
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

export default { name: 'image', Form } satisfies TryOutForm
