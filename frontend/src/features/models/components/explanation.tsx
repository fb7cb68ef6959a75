import { Button, SegmentedControl, Select, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useAnswerKind } from '../../../answers'
import type { Explained } from '../../../answers/kind'
import { formatFraction } from '../../../charts/format/format'
import { useItemKind } from '../../../items'
import type { Evidence } from '../../../lib/evidence'
import { useKeyHints } from '../../../lib/shortcuts/use-shortcuts'
import { ErrorState } from '../../../ui/error-state'
import { EvidenceLegend } from '../../../ui/evidence-legend'
import { KeyHint } from '../../../ui/key-hint'
import { useExplanation } from '../api/get-explanation'
import type { JudgedItem } from '../api/types'
import type { JudgedSide } from './judged-stage'

/** Stays as it is from item to item. */
export interface EvidenceSwitch {
  isShown: boolean
  toggle: () => void
}

interface Choice extends Explained {
  key: string
}

interface ExplanationView {
  /** None where such predictions are not explained, or the item has no prediction. */
  choices: Choice[]
  chosen: Choice | undefined
  choose: (key: string) => void
  isLoading: boolean
  error: Error | null
  /** Shown below the switch; absent where it is shown on the item. */
  beside: ReactNode
  evidence: Evidence | undefined
}

/** Which parts of an item counted for a predicted label, for the true one, or for an object. */
export function useExplanationView({ artefact, item, thresholds }: JudgedSide, isShown: boolean): ExplanationView {
  const items = useItemKind()
  const { explained, format } = useAnswerKind()
  const choices = explained && items.explained.has('answer') ? explained(item, thresholds).map(keyed(item)) : []
  const [key, setKey] = useState<string | null>(null)
  const chosen = choices.find((each) => each.key === key) ?? choices[0]
  const { Explanation } = items
  const asked = isShown && chosen && { artefact, item: item.item, label: chosen.label }
  const found = useExplanation(asked && !Explanation ? { ...asked, box: chosen.box } : null)
  const beside = asked && Explanation && <Explanation {...asked} format={format} />
  const error = isShown ? found.error : null
  return { choices, chosen, choose: setKey, isLoading: found.isFetching, error, beside, evidence: found.data }
}

/** A label stays chosen from item to item, an object does not. */
const keyed = (item: JudgedItem) => (each: Explained, place: number) => ({
  ...each,
  key: each.box ? `${item.item}/${place}` : (each.label ?? ''),
})

/** Shows or hides the explanation, and names its label. */
export function ExplanationPanel({ view, isShown, toggle }: EvidenceSwitch & { view: ExplanationView }) {
  const { t } = useTranslation('report')
  const hint = useKeyHints('report')('evidence')
  const words = ({ label, outcome, score_fraction }: Explained) =>
    [label, outcome && t(`boxes.${outcome}`), score_fraction == null ? null : formatFraction(score_fraction)].filter(Boolean).join(' · ')
  const { choices, chosen, choose } = view
  if (!chosen) return null
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
      {isShown &&
        choices.length > 1 &&
        (chosen.box ? (
          <Select
            size="xs"
            w="100%"
            label={t('viewer.explained_object')}
            value={chosen.key}
            allowDeselect={false}
            onChange={(value) => value && choose(value)}
            data={choices.map((each) => ({ value: each.key, label: words(each) }))}
          />
        ) : (
          <SegmentedControl
            size="xs"
            aria-label={t('viewer.explained')}
            value={chosen.key}
            onChange={choose}
            data={choices.map((each) => ({ value: each.key, label: words(each) }))}
          />
        ))}
      {view.beside}
      {isShown && view.evidence && <EvidenceLegend evidence={view.evidence} />}
      {view.error && <ErrorState error={view.error} />}
    </Stack>
  )
}
