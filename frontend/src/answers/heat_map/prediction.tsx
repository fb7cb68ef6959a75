import { Stack, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import type { PredictionProps } from '../kind'
import { ScoredBars } from '../scored-bars'
import { useIsShown } from './view'

/** The label with its score, and a switch for the map over the picture. */
export function Prediction({ annotations }: PredictionProps) {
  if (annotations.length === 0) return null
  return (
    <Stack gap="sm">
      <ScoredBars annotations={annotations} />
      {annotations.some(({ heat_map }) => heat_map) && <MapSwitch />}
    </Stack>
  )
}

export function MapSwitch() {
  const { t } = useTranslation('report')
  const [isShown, setIsShown] = useIsShown()
  return <Switch label={t('heat_map.show')} checked={isShown} onChange={({ currentTarget }) => setIsShown(currentTarget.checked)} />
}
