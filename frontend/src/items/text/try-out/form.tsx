import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { EvidenceText } from '../../../ui/evidence-text'
import { TryOutExplanation } from '../../../ui/try-out/explanation'
import { SampleButton } from '../../../ui/try-out/sample-button'
import { TryOutSection } from '../../../ui/try-out/section'
import type { TryOutForm, TryOutFormProps } from '../../try-out'
import { textOf, useExplainText, useTryText } from './api'

/** The longest text that the server accepts. */
const CHARACTERS_MAX = 100_000

/** A text: written, pasted or taken from the data. */
function Form({ deployment, answers }: TryOutFormProps) {
  const { t } = useTranslation('deployments')
  const [text, setText] = useState('')
  const predict = useTryText(deployment.id)
  const isRunning = deployment.state === 'running'
  const ask = (input: string) => {
    if (isRunning && input.trim()) predict.mutate({ text: input })
  }
  const sent = predict.variables?.text
  const below = isRunning && sent && <TextEvidence key={predict.submittedAt} deployment={deployment.id} text={sent} />
  return (
    <TryOutSection
      isRunning={isRunning}
      predict={predict}
      renderPrediction={answers.renderPrediction}
      onAll={(top) => sent && predict.mutate({ text: sent, top })}
      isWide
      below={below}
    >
      <Textarea
        aria-label={t('try.drop')}
        placeholder={t('try.drop')}
        autosize
        minRows={7}
        maxRows={14}
        maxLength={CHARACTERS_MAX}
        disabled={!isRunning}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => (event.ctrlKey || event.metaKey) && event.key === 'Enter' && ask(text)}
      />
      <Button fullWidth mt="xs" disabled={!isRunning || !text.trim()} loading={predict.isPending} onClick={() => ask(text)}>
        {t('try.ask')}
      </Button>
      <SampleButton
        isDisabled={!isRunning}
        read={textOf}
        onSample={(sample) => {
          setText(sample)
          ask(sample)
        }}
      />
    </TryOutSection>
  )
}

function TextEvidence({ deployment, text }: { deployment: string; text: string }) {
  const explain = useExplainText(deployment, text)
  return <TryOutExplanation explain={explain}>{(evidence) => <EvidenceText text={text} evidence={evidence} />}</TryOutExplanation>
}

export default { name: 'text', Form } satisfies TryOutForm
