import { ActionIcon, Anchor, Badge, Checkbox, ColorInput, Group, Menu, Progress, Text, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconDots, IconHierarchy, IconListDetails, IconSeparator, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import type { Label } from '../../../lib/api/types'
import { confirm } from '../../../ui/confirm'
import { KeyHint } from '../../../ui/key-hint'
import classes from './label-row.module.css'
import { MoveHandle } from './move-handle'

interface LabelRowProps {
  label: Label
  path: readonly string[]
  index: number
  /** How many labels there are. */
  total: number
  /** Pictures that carry it; undefined while that is not known. */
  count: number | undefined
  /** How many carry the commonest label. */
  most: number
  /** Whose label it is. */
  project: string
  canChange: boolean
  /** A change is under way. */
  isDisabled: boolean
  isChosen: boolean
  /** On which side of it the label that is dragged would land. */
  drop: 'above' | 'below' | undefined
  onChoose: (isChosen: boolean) => void
  /** `undo` brings the old name back where the new one is refused. */
  onRename: (to: string, undo: () => void) => void
  onRecolor: (color: string) => Promise<unknown>
  onMove: (step: number) => void
  /** While it is dragged: by how many places; null when it is let go. */
  onDrag: (step: number | null) => void
  onHang: () => void
  onDescribe: () => void
  onSplit: () => void
  onRemove: () => void
}

/** One label: key, colour, name, where it hangs, number of pictures, place. */
export function LabelRow(props: LabelRowProps) {
  const { label, path, index, count, isDisabled, isChosen } = props
  const { t } = useTranslation('labels')
  const num_attributes = label.attributes?.length ?? 0
  return (
    <Group className={classes.row} wrap="nowrap" gap="xs" data-chosen={isChosen || undefined} data-drop={props.drop}>
      {props.canChange && <MoveHandle name={label.name} index={index} total={props.total} onMove={props.onMove} onDrag={props.onDrag} />}
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
      <More {...props} />
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

function More({ label, index, total, count, isDisabled, onMove, onHang, onDescribe, onSplit, onRemove }: LabelRowProps) {
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
        <Menu.Item leftSection={<IconArrowUp size={15} />} disabled={index === 0} onClick={() => onMove(-1)}>
          {t('up')}
        </Menu.Item>
        <Menu.Item leftSection={<IconArrowDown size={15} />} disabled={index === total - 1} onClick={() => onMove(1)}>
          {t('down')}
        </Menu.Item>
        <Menu.Divider />
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
