import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '../../../../ui/error-state'
import { EvidenceLegend } from '../../../../ui/evidence-legend'
import { KeyHint } from '../../../../ui/key-hint'
import type { EvidenceView } from '../../api/evidence'

/** Shows or hides the explanation in the text, with a legend of the tints. */
export function EvidenceSwitch({ view, hint }: { view: EvidenceView; hint: string | undefined }) {
  const { t } = useTranslation('labelling')
  if (!view.canShow) return null
  return (
    <div>
      <Button
        size="compact-xs"
        variant="default"
        loading={view.isLoading}
        aria-pressed={view.isShown}
        rightSection={hint && <KeyHint>{hint}</KeyHint>}
        onMouseDown={(event) => event.preventDefault()}
        onClick={view.toggle}
      >
        {t(view.isShown ? 'suggestions.evidence_hide' : 'suggestions.evidence')}
      </Button>
      {view.evidence && <EvidenceLegend evidence={view.evidence} />}
      {view.error && <ErrorState error={view.error} />}
    </div>
  )
}
