import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { EvidenceText } from '../../../ui/evidence-text'
import { useExplainText } from '../api/explain'
import { textOf, useTryText } from '../api/try-deployment'
import { SampleButton } from '../components/sample-button'
import { TryEvidence } from '../components/try-evidence'
import { TrySection } from '../components/try-section'
import type { FormProps, TryOutForm } from './form'

/** What the server takes of one text. */
const CHARACTERS_MAX = 100_000

/** A text: written, pasted or taken from the data. */
function Form({ deployment }: FormProps) {
  const { t } = useTranslation('deployments')
  const [text, setText] = useState('')
  const predict = useTryText(deployment.id)
  const isRunning = deployment.state === 'running'
  const ask = (input: string) => {
    if (isRunning && input.trim()) predict.mutate(input)
  }
  const sent = predict.variables
  const below = isRunning && sent && <TextEvidence key={predict.submittedAt} deployment={deployment.id} text={sent} />
  return (
    <TrySection isRunning={isRunning} predict={predict} isWide below={below}>
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
    </TrySection>
  )
}

function TextEvidence({ deployment, text }: { deployment: string; text: string }) {
  const explain = useExplainText(deployment, text)
  return <TryEvidence explain={explain}>{(evidence) => <EvidenceText text={text} evidence={evidence} />}</TryEvidence>
}

export default { name: 'text', Form } satisfies TryOutForm
