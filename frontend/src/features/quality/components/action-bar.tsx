import { ActionIcon, Button, Group, Paper, Text, Tooltip } from '@mantine/core'
import { IconArchive, IconEyeOff, IconLink, IconTag, IconTrash, IconX } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'

import { useElementHeight } from '../../../lib/use-element-height'
import type { ActionKind, Kind } from '../api/quality'
import { actionsFor } from '../model/kinds'
import classes from './quality.module.css'

const ICONS: Record<ActionKind, ComponentType<{ size?: number }>> = {
  quarantine: IconArchive,
  delete: IconTrash,
  group: IconLink,
  relabel: IconTag,
  dismiss: IconEyeOff,
}

interface ActionBarProps {
  kind: Kind
  count: number
  isBusy: boolean
  onAct: (action: ActionKind) => void
  onAll: () => void
  onClear: () => void
}

/** What can be done with the selected findings; stays in sight while the pictures scroll. */
export function ActionBar({ kind, count, isBusy, onAct, onAll, onClear }: ActionBarProps) {
  const { t } = useTranslation('quality')
  const measured = useElementHeight('--bar-height')
  return (
    <Paper ref={measured} className={classes.bar} shadow="md" p="xs" withBorder role="toolbar" aria-label={t('selection.title')}>
      <Group gap={6} justify="center">
        <Tooltip label={t('selection.clear')}>
          <ActionIcon onClick={onClear} aria-label={t('selection.clear')}>
            <IconX size={16} />
          </ActionIcon>
        </Tooltip>
        <Text size="sm" fw={600} aria-live="polite" style={{ whiteSpace: 'nowrap' }}>
          {t('selection.count', { count })}
        </Text>
        <Button size="compact-sm" variant="subtle" onClick={onAll}>
          {t('selection.all')}
        </Button>
        {actionsFor(kind).map((action) => {
          const Icon = ICONS[action]
          return (
            <Tooltip key={action} label={t(`action_help.${action}`)} multiline maw={280}>
              <Button
                size="compact-sm"
                variant={action === 'delete' ? 'subtle' : 'default'}
                color={action === 'delete' ? 'red' : undefined}
                leftSection={<Icon size={15} />}
                disabled={isBusy}
                onClick={() => onAct(action)}
              >
                {t(`action.${action}`)}
              </Button>
            </Tooltip>
          )
        })}
      </Group>
    </Paper>
  )
}
