import '@mantine/dropzone/styles.css'

import { Text } from '@mantine/core'
import { Dropzone, IMAGE_MIME_TYPE } from '@mantine/dropzone'
import { IconPhoto } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useAnswerKind } from '../../../answers'
import { AnnotationOverlay } from '../../../answers/annotation-overlay'
import type { AnnotationLike } from '../../../answers/kind'
import type { Evidence } from '../../../lib/evidence'
import { useProject } from '../../../lib/project/project'
import { usePastedPicture } from '../../../lib/use-pasted-picture'
import { EvidenceLegend } from '../../../ui/evidence-legend'
import { EvidenceShade } from '../../../ui/evidence-shade'
import { notifyError } from '../../../ui/notify'
import { useExplainPicture } from '../api/explain'
import { pictureOf, useTry } from '../api/try-deployment'
import { SampleButton } from '../components/sample-button'
import classes from '../components/try-out.module.css'
import { TryEvidence } from '../components/try-evidence'
import { TrySection } from '../components/try-section'
import type { FormProps, TryOutForm } from './form'

/** A picture: dropped, pasted, chosen or taken from the data. */
function Form({ deployment }: FormProps) {
  const { t } = useTranslation('deployments')
  const [picture, setPicture] = useState<File | null>(null)
  const predict = useTry(deployment.id)
  const isRunning = deployment.state === 'running'
  const ask = (file: File | undefined) => {
    if (!file || !isRunning) return
    setPicture(file)
    predict.mutate(file)
  }
  usePastedPicture(ask)
  const explain = useExplainPicture(deployment.id, picture, predict.submittedAt)
  const { isExplained } = useAnswerKind()
  const below = isRunning && isExplained && (
    <TryEvidence explain={explain}>{(evidence) => <EvidenceLegend evidence={evidence} />}</TryEvidence>
  )
  return (
    <TrySection isRunning={isRunning} predict={predict} below={below}>
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
          annotations={predict.data && !predict.isPending ? (predict.data.predictions[0]?.annotations ?? []) : []}
          evidence={predict.isPending ? undefined : explain.data}
        />
      </Dropzone>
      <SampleButton isDisabled={!isRunning} read={pictureOf} onSample={ask} />
    </TrySection>
  )
}

interface PreviewProps {
  picture: File | null
  annotations: readonly AnnotationLike[]
  evidence: Evidence | undefined
}

function Preview({ picture, annotations, evidence }: PreviewProps) {
  const { t } = useTranslation('deployments')
  const labels = useProject().data?.label_set.labels ?? []
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
        {size && <AnnotationOverlay item={{ media: size }} annotations={annotations} labels={labels} hasNames hasScores />}
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
