import { Button, SegmentedControl, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useAnswerKind } from '../../../answers'
import { useItemKind } from '../../../items'
import type { Evidence } from '../../../lib/evidence'
import { useKeyHints } from '../../../lib/shortcuts/use-shortcuts'
import { ErrorState } from '../../../ui/error-state'
import { EvidenceLegend } from '../../../ui/evidence-legend'
import { KeyHint } from '../../../ui/key-hint'
import { useExplanation } from '../api/get-explanation'
import type { JudgedItem } from '../api/types'
import { explainedLabels } from '../model/explained-labels'

/** Stays as it is from item to item. */
export interface EvidenceSwitch {
  isShown: boolean
  toggle: () => void
}

interface ExplanationView {
  /** None where such predictions are not explained, or the item has no prediction. */
  labels: string[]
  label: string | undefined
  choose: (label: string) => void
  isLoading: boolean
  error: Error | null
  evidence: Evidence | undefined
}

/** Which parts of an item counted for a predicted label, or for the true one. */
export function useExplanationView(artefact: string, item: JudgedItem, isShown: boolean): ExplanationView {
  const { explained } = useItemKind()
  const { isExplained } = useAnswerKind()
  const labels = isExplained && explained.has('answer') ? explainedLabels(item) : []
  const [chosen, setChosen] = useState<string | null>(null)
  const label = labels.find((each) => each === chosen) ?? labels[0]
  const found = useExplanation(isShown && label !== undefined ? { artefact, item: item.item, label } : null)
  return { labels, label, choose: setChosen, isLoading: found.isFetching, error: isShown ? found.error : null, evidence: found.data }
}

/** Shows or hides the explanation, and names its label. */
export function ExplanationPanel({ view, isShown, toggle }: EvidenceSwitch & { view: ExplanationView }) {
  const { t } = useTranslation('report')
  const hint = useKeyHints('report')('evidence')
  if (!view.labels.length) return null
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        size="compact-sm"
        variant="default"
        loading={view.isLoading}
        aria-pressed={isShown}
        rightSection={hint && <KeyHint>{hint}</KeyHint>}
        onClick={toggle}
      >
        {t(isShown ? 'viewer.evidence_hide' : 'viewer.evidence')}
      </Button>
      {isShown && view.labels.length > 1 && (
        <SegmentedControl size="xs" aria-label={t('viewer.explained')} value={view.label} onChange={view.choose} data={view.labels} />
      )}
      {isShown && view.evidence && <EvidenceLegend evidence={view.evidence} />}
      {view.error && <ErrorState error={view.error} />}
    </Stack>
  )
}
