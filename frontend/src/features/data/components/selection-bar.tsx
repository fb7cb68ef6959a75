import { ActionIcon, Button, ColorSwatch, Group, Menu, Paper, Text, Tooltip, Transition } from '@mantine/core'
import { IconChevronDown, IconTrash, IconX, IconZoomIn } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import type { Label } from '../../../lib/api/types'
import { KeyHint } from '../../../ui/key-hint'
import classes from './selection-bar.module.css'

interface SelectionBarProps {
  count: number
  labels: readonly Label[]
  isBusy: boolean
  onLabel?: (label: string | null) => void
  onDelete?: () => void
  /** Opens the selected pictures one by one. */
  onOpen: () => void
  onClear: () => void
}

const ON_BAR = 5

/** What can be done with the selected pictures; floats, so that nothing moves when it appears. */
export function SelectionBar({ count, labels, isBusy, onLabel, onDelete, onOpen, onClear }: SelectionBarProps) {
  const { t } = useTranslation('data')
  return (
    <Transition mounted={count > 0} transition="slide-up" duration={120}>
      {(styles) => (
        <Paper className={classes.bar} style={styles} shadow="md" p="xs" role="toolbar" aria-label={t('selection.title')}>
          <Group gap="xs" wrap="nowrap">
            <Tooltip label={t('selection.clear')}>
              <ActionIcon onClick={onClear} aria-label={t('selection.clear')}>
                <IconX size={16} />
              </ActionIcon>
            </Tooltip>
            <Text size="sm" fw={600} style={{ whiteSpace: 'nowrap' }} aria-live="polite">
              {t('selection.count', { count })}
            </Text>
            {onLabel && <LabelButtons labels={labels} isBusy={isBusy} onLabel={onLabel} />}
            <Button variant="default" leftSection={<IconZoomIn size={14} />} onClick={onOpen}>
              {t('selection.open')}
            </Button>
            {onDelete && (
              <Button variant="subtle" color="red" leftSection={<IconTrash size={14} />} disabled={isBusy} onClick={onDelete}>
                {t('common:delete')}
              </Button>
            )}
          </Group>
        </Paper>
      )}
    </Transition>
  )
}

function LabelButtons({ labels, isBusy, onLabel }: Required<Pick<SelectionBarProps, 'labels' | 'isBusy' | 'onLabel'>>) {
  const { t } = useTranslation('data')
  return (
    <>
      {labels.slice(0, ON_BAR).map(({ name, color }, index) => (
        <Button
          key={name}
          variant="default"
          disabled={isBusy}
          maw={160}
          leftSection={<ColorSwatch size={10} color={color} />}
          rightSection={<KeyHint>{String(index + 1)}</KeyHint>}
          onClick={() => onLabel(name)}
        >
          {name}
        </Button>
      ))}
      <Menu position="top-end">
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={14} />} disabled={isBusy}>
            {t('selection.label')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
          {labels.slice(ON_BAR).map(({ name, color }) => (
            <Menu.Item key={name} leftSection={<ColorSwatch size={10} color={color} />} onClick={() => onLabel(name)}>
              {name}
            </Menu.Item>
          ))}
          <Menu.Item rightSection={<KeyHint>0</KeyHint>} onClick={() => onLabel(null)}>
            {t('selection.unlabel')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
