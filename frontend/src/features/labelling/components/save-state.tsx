import { Button, Group, Loader, Text, Tooltip } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconCloudOff, IconDatabaseOff, IconLock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import type { AutosaveState } from '../model/autosave'

const ICONS = {
  saved: <IconCheck size={15} color="var(--mantine-color-teal-6)" aria-hidden />,
  opening: <Loader size={13} />,
  sending: <Loader size={13} />,
  offline: <IconCloudOff size={15} color="var(--mantine-color-orange-6)" aria-hidden />,
  signed_out: <IconLock size={15} color="var(--mantine-color-orange-6)" aria-hidden />,
  conflict: <IconAlertTriangle size={15} color="var(--mantine-color-red-6)" aria-hidden />,
}

interface SaveStateProps {
  state: AutosaveState
  onSignIn: () => void
}

/** Whether the annotations are saved. The same width in every state. */
export function SaveState({ state, onSignIn }: SaveStateProps) {
  const { t } = useTranslation('labelling')
  return (
    <Group gap={6} wrap="nowrap" miw={150} role="status" aria-live="polite">
      {state.num_unkept > 0 ? <IconDatabaseOff size={15} color="var(--mantine-color-red-6)" aria-hidden /> : ICONS[state.kind]}
      <Tooltip label={state.num_unkept > 0 ? t('save.unkept_text') : t(`save.${state.kind}_text`)} multiline maw={320}>
        <Text size="xs" c={state.num_unkept > 0 ? 'red' : 'dimmed'} style={{ whiteSpace: 'nowrap' }}>
          {state.num_unkept > 0 ? t('save.unkept', { count: state.num_unkept }) : t(`save.${state.kind}`, { count: state.num_waiting })}
        </Text>
      </Tooltip>
      {state.kind === 'signed_out' && (
        <Button size="compact-xs" onClick={onSignIn}>
          {t('save.sign_in')}
        </Button>
      )}
    </Group>
  )
}
