import { ActionIcon, Button, ColorSwatch, Group, Menu, Paper, Text, Tooltip, Transition } from '@mantine/core'
import { IconArchive, IconArrowBackUp, IconChevronDown, IconDots, IconTags, IconTrash, IconX, IconZoomIn } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { Label, Split } from '../../../lib/api/types'
import { useElementHeight } from '../../../lib/use-element-height'
import { KeyHint } from '../../../ui/key-hint'
import type { Change } from '../api/change-items'
import { MetadataDialog } from './metadata-dialog'
import classes from './selection-bar.module.css'

interface SelectionBarProps {
  count: number
  labels: readonly Label[]
  /** All that match are selected. */
  isAll: boolean
  total: number
  isBusy: boolean
  /** The pictures shown are deleted or quarantined: they can be brought back and nothing else. */
  isGone: boolean
  onAll: () => void
  onLabel?: (label: string | null) => void
  onDelete?: () => void
  onChange?: (change: Change) => void
  /** Opens the selected pictures one by one. */
  onOpen: () => void
  onClear: () => void
}

const ON_BAR = 3

/** What can be done with the selected pictures; floats, so that nothing moves when it appears. */
export function SelectionBar(props: SelectionBarProps) {
  const { count, labels, isAll, total, isBusy, isGone, onAll, onLabel, onDelete, onChange, onOpen, onClear } = props
  const { t } = useTranslation('data')
  const measured = useElementHeight('--bar-height')
  return (
    <Transition mounted={count > 0} transition="slide-up" duration={120}>
      {(styles) => (
        <Paper ref={measured} className={classes.bar} style={styles} shadow="md" p="xs" role="toolbar" aria-label={t('selection.title')}>
          <Group gap="xs" justify="center">
            <Tooltip label={t('selection.clear')}>
              <ActionIcon onClick={onClear} aria-label={t('selection.clear')}>
                <IconX size={16} />
              </ActionIcon>
            </Tooltip>
            <Text size="sm" fw={600} style={{ whiteSpace: 'nowrap' }} aria-live="polite">
              {t('selection.count', { count, shown: count.toLocaleString() })}
            </Text>
            {!isAll && count < total && (
              <Button variant="subtle" onClick={onAll}>
                {t('selection.all', { shown: total.toLocaleString() })}
              </Button>
            )}
            {isGone && onChange && (
              <Button
                variant="default"
                leftSection={<IconArrowBackUp size={14} />}
                disabled={isBusy}
                onClick={() => onChange({ kind: 'restore' })}
              >
                {t('selection.restore')}
              </Button>
            )}
            {!isGone && onLabel && <LabelButtons labels={labels} isBusy={isBusy} onLabel={onLabel} />}
            <Button variant="default" leftSection={<IconZoomIn size={14} />} onClick={onOpen}>
              {t('selection.open')}
            </Button>
            {!isGone && onChange && <MoreMenu isBusy={isBusy} onChange={onChange} />}
            {!isGone && onDelete && (
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

const SPLITS: readonly Split[] = ['train', 'validation', 'test']

function MoreMenu({ isBusy, onChange }: { isBusy: boolean; onChange: (change: Change) => void }) {
  const { t } = useTranslation('data')
  const [isNaming, setNaming] = useState(false)
  return (
    <>
      <Menu position="top-end">
        <Menu.Target>
          <ActionIcon variant="default" size={30} disabled={isBusy} aria-label={t('selection.more')}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('selection.split')}</Menu.Label>
          {SPLITS.map((split) => (
            <Menu.Item key={split} onClick={() => onChange({ kind: 'split', split })}>
              {t(`split.${split}`)}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<IconTags size={14} />} onClick={() => setNaming(true)}>
            {t('selection.metadata')}
          </Menu.Item>
          <Menu.Item leftSection={<IconArchive size={14} />} onClick={() => onChange({ kind: 'quarantine' })}>
            {t('selection.quarantine')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <MetadataDialog opened={isNaming} onClose={() => setNaming(false)} onSet={(metadata) => onChange({ kind: 'metadata', metadata })} />
    </>
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
