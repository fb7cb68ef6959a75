import { ActionIcon, ColorInput, Group, Text, TextInput, Tooltip } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { Label } from '../../../lib/api/types'
import { confirm } from '../../../ui/confirm'
import { KeyHint } from '../../../ui/key-hint'
import classes from './label-row.module.css'

interface LabelRowProps {
  label: Label
  index: number
  isLast: boolean
  /** Pictures that carry it; undefined while that is not known. */
  count: number | undefined
  isDisabled: boolean
  /** `undo` brings the old name back where the new one is refused. */
  onRename: (to: string, undo: () => void) => void
  onRecolor: (color: string) => void
  onMove: (step: -1 | 1) => void
  onRemove: () => void
}

/** One label: key, colour, name, number of pictures, place. */
export function LabelRow({ label, index, isLast, count, isDisabled, onRename, onRecolor, onMove, onRemove }: LabelRowProps) {
  const { t } = useTranslation('labelling')
  const [name, setName] = useState(label.name)
  const canRemove = !isDisabled && count === 0
  const rename = () => {
    const wanted = name.trim()
    if (!wanted) setName(label.name)
    else if (wanted !== label.name) onRename(wanted, () => setName(label.name))
  }
  const remove = () =>
    confirm({
      title: t('labels.remove_title', { name: label.name }),
      children: t('labels.remove_text'),
      confirm: t('labels.remove'),
      isDangerous: true,
      onConfirm: onRemove,
    })
  return (
    <Group className={classes.row} wrap="nowrap" gap="xs">
      <span className={classes.key}>{index < 9 && <KeyHint>{String(index + 1)}</KeyHint>}</span>
      <ColorInput
        size="xs"
        w={{ base: 36, sm: 104 }}
        aria-label={t('labels.color', { name: label.name })}
        defaultValue={label.color ?? undefined}
        disabled={isDisabled}
        withEyeDropper={false}
        onChangeEnd={(color) => /^#[0-9a-f]{6}$/i.test(color) && color !== label.color && onRecolor(color)}
      />
      <TextInput
        size="xs"
        flex={1}
        aria-label={t('labels.name', { name: label.name })}
        value={name}
        disabled={isDisabled}
        onChange={(event) => setName(event.currentTarget.value)}
        onBlur={rename}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur()
          if (event.key === 'Escape') setName(label.name)
        }}
      />
      <Text size="xs" c="dimmed" w={96} ta="right" visibleFrom="sm">
        {count !== undefined && t('labels.count', { count })}
      </Text>
      <Group gap={0} wrap="nowrap">
        <ActionIcon aria-label={t('labels.up', { name: label.name })} disabled={isDisabled || index === 0} onClick={() => onMove(-1)}>
          <IconArrowUp size={15} />
        </ActionIcon>
        <ActionIcon aria-label={t('labels.down', { name: label.name })} disabled={isDisabled || isLast} onClick={() => onMove(1)}>
          <IconArrowDown size={15} />
        </ActionIcon>
        <Tooltip label={count !== 0 ? t('labels.in_use') : t('labels.remove')}>
          <ActionIcon
            color="red"
            aria-label={t('labels.remove_title', { name: label.name })}
            data-disabled={!canRemove || undefined}
            aria-disabled={!canRemove}
            onClick={() => canRemove && remove()}
          >
            <IconTrash size={15} />
          </ActionIcon>
        </Tooltip>
      </Group>
    </Group>
  )
}
