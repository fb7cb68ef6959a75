import { Group, Loader, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconCloudOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import type { AutosaveState } from '../model/autosave'

/** Whether what was said has arrived. Takes the same room in every state. */
export function SaveState({ state }: { state: AutosaveState }) {
  const { t } = useTranslation('labelling')
  return (
    <Group gap={6} wrap="nowrap" miw={150} role="status" aria-live="polite">
      {state.kind === 'saved' && <IconCheck size={15} color="var(--mantine-color-teal-6)" aria-hidden />}
      {(state.kind === 'sending' || state.kind === 'opening') && <Loader size={13} />}
      {state.kind === 'offline' && <IconCloudOff size={15} color="var(--mantine-color-orange-6)" aria-hidden />}
      {state.kind === 'conflict' && <IconAlertTriangle size={15} color="var(--mantine-color-red-6)" aria-hidden />}
      <Text size="xs" c="dimmed">
        {t(`save.${state.kind}`, { count: state.num_waiting })}
      </Text>
    </Group>
  )
}
