import { SegmentedControl } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useView, type View, VIEWS } from './judged-view'

const WORDS = { differences: 'masks.differences', truth: 'items.truth', answer: 'items.answer' } as const satisfies Record<View, string>

/** Chooses what lies over the picture: where both sides differ, or one of them. */
export function ViewSwitch() {
  const { t } = useTranslation('report')
  const [view, setView] = useView()
  return (
    <SegmentedControl
      size="xs"
      value={view}
      onChange={(chosen) => setView(VIEWS.find((each) => each === chosen) ?? 'differences')}
      data={VIEWS.map((value) => ({ value, label: t(WORDS[value]) }))}
    />
  )
}
