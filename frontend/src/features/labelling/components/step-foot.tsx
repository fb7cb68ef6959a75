import { Button, Group, Stack, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import type { LabellingSession, LabellingState } from '../model/labelling-session'

interface StepFootProps {
  session: LabellingSession
  state: LabellingState
  /** Whether an answer leads to the next item, and the handler of a change; without it there is no choice. */
  going?: { goesOn: boolean; onChange: (goesOn: boolean) => void } | undefined
}

/** The way back and on, below everything else of an item. */
export function StepFoot({ session, state, going }: StepFootProps) {
  const { t } = useTranslation('labelling')
  return (
    <Stack gap="sm">
      <Group justify="space-between" wrap="nowrap">
        <Button variant="default" disabled={state.index === 0} onClick={() => session.previous()}>
          ← {t('previous')}
        </Button>
        <Button onClick={() => session.next()} disabled={!state.item}>
          {t('next')} →
        </Button>
      </Group>
      {going && (
        <Switch size="xs" label={t('goes_on')} checked={going.goesOn} onChange={(event) => going.onChange(event.currentTarget.checked)} />
      )}
    </Stack>
  )
}
