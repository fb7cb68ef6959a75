import { ActionIcon, Anchor, Badge, Checkbox, ColorInput, Group, Menu, Progress, Text, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconDots, IconHierarchy, IconListDetails, IconSeparator, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import type { Label } from '../../../lib/api/types'
import { confirm } from '../../../ui/confirm'
import { KeyHint } from '../../../ui/key-hint'
import classes from './label-row.module.css'

interface LabelRowProps {
  label: Label
  path: readonly string[]
  index: number
  isLast: boolean
  /** Pictures that carry it; undefined while that is not known. */
  count: number | undefined
  /** How many carry the commonest label. */
  most: number
  /** Whose label it is. */
  project: string
  isDisabled: boolean
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
  /** `undo` brings the old name back where the new one is refused. */
  onRename: (to: string, undo: () => void) => void
  onRecolor: (color: string) => Promise<unknown>
  onMove: (step: -1 | 1) => void
  onHang: () => void
  onDescribe: () => void
  onSplit: () => void
  onRemove: () => void
}

/** One label: key, colour, name, where it hangs, number of pictures, place. */
export function LabelRow(props: LabelRowProps) {
  const { label, path, index, isLast, count, isDisabled, isChosen } = props
  const { t } = useTranslation('labels')
  const num_attributes = label.attributes?.length ?? 0
  return (
    <Group className={classes.row} wrap="nowrap" gap="xs" data-chosen={isChosen || undefined}>
      <Checkbox
        size="xs"
        aria-label={t('choose', { name: label.name })}
        checked={isChosen}
        disabled={isDisabled}
        onChange={(event) => props.onChoose(event.currentTarget.checked)}
      />
      <span className={classes.key}>{index < 9 && <KeyHint>{String(index + 1)}</KeyHint>}</span>
      <Color label={label} isDisabled={isDisabled} onRecolor={props.onRecolor} />
      <Name label={label} isDisabled={isDisabled} onRename={props.onRename} />
      {path.length > 0 && (
        <Text size="xs" c="dimmed" truncate maw={160} visibleFrom="sm" title={path.join(' › ')}>
          {t('below', { path: path.join(' › ') })}
        </Text>
      )}
      {num_attributes > 0 && (
        <Badge size="sm" variant="light" visibleFrom="sm">
          {t('attributes_count', { count: num_attributes })}
        </Badge>
      )}
      <Count label={label} count={count} most={props.most} project={props.project} />
      <Group gap={0} wrap="nowrap">
        <ActionIcon aria-label={t('up', { name: label.name })} disabled={isDisabled || index === 0} onClick={() => props.onMove(-1)}>
          <IconArrowUp size={15} />
        </ActionIcon>
        <ActionIcon aria-label={t('down', { name: label.name })} disabled={isDisabled || isLast} onClick={() => props.onMove(1)}>
          <IconArrowDown size={15} />
        </ActionIcon>
        <More {...props} />
      </Group>
    </Group>
  )
}

function Color({ label, isDisabled, onRecolor }: Pick<LabelRowProps, 'label' | 'isDisabled' | 'onRecolor'>) {
  const { t } = useTranslation('labels')
  const [color, setColor] = useState(label.color)
  const isColor = (value: string) => /^#[0-9a-f]{6}$/i.test(value)
  return (
    <ColorInput
      size="xs"
      className={classes.color}
      aria-label={t('color', { name: label.name })}
      value={color}
      disabled={isDisabled}
      withEyeDropper={false}
      onChange={setColor}
      onChangeEnd={(value) => isColor(value) && value !== label.color && onRecolor(value).catch(() => setColor(label.color))}
    />
  )
}

function Name({ label, isDisabled, onRename }: Pick<LabelRowProps, 'label' | 'isDisabled' | 'onRename'>) {
  const { t } = useTranslation('labels')
  const [name, setName] = useState(label.name)
  const rename = () => {
    const newName = name.trim()
    if (!newName) setName(label.name)
    else if (newName !== label.name) onRename(newName, () => setName(label.name))
  }
  return (
    <TextInput
      size="xs"
      className={classes.name}
      aria-label={t('name', { name: label.name })}
      value={name}
      disabled={isDisabled}
      onChange={(event) => setName(event.currentTarget.value)}
      onBlur={rename}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
        if (event.key === 'Escape') setName(label.name)
      }}
    />
  )
}

/** How many carry it, beside the commonest, and the way to them. */
function Count({ label, count, most, project }: Pick<LabelRowProps, 'label' | 'count' | 'most' | 'project'>) {
  const { t } = useTranslation('labels')
  return (
    <Group className={classes.count} wrap="nowrap" gap="sm" visibleFrom="sm">
      <Progress flex={1} size="sm" color={label.color} value={(100 * (count ?? 0)) / most} aria-hidden visibleFrom="md" />
      <Text size="xs" w={96} ta="right">
        {count !== undefined && (
          <Anchor inherit component={Link} to={`/projects/${project}/data?label=${encodeURIComponent(label.name)}`}>
            {t('count', { count })}
          </Anchor>
        )}
      </Text>
    </Group>
  )
}

function More({ label, count, isDisabled, onHang, onDescribe, onSplit, onRemove }: LabelRowProps) {
  const { t } = useTranslation('labels')
  const remove = () =>
    confirm({
      title: t('remove_title', { name: label.name }),
      children: t('remove_text'),
      confirm: t('remove'),
      isDangerous: true,
      onConfirm: onRemove,
    })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('more', { name: label.name })} disabled={isDisabled}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconHierarchy size={15} />} onClick={onHang}>
          {t('hang')}
        </Menu.Item>
        <Menu.Item leftSection={<IconListDetails size={15} />} onClick={onDescribe}>
          {t('attributes')}
        </Menu.Item>
        <Menu.Item leftSection={<IconSeparator size={15} />} disabled={!count} onClick={onSplit}>
          {t('split')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash size={15} />} disabled={count !== 0} onClick={remove}>
          {count === 0 ? t('remove') : t('in_use')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
