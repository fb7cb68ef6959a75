import { ActionIcon, ColorSwatch, ScrollArea, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { type RefObject, useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { Label } from '../../../../lib/api/types'
import { KeyHint } from '../../../../ui/key-hint'
import classes from './class-picker.module.css'

interface ClassPickerProps {
  labels: readonly Label[]
  /** How many items carry each label; absent where that must not be seen. */
  counts?: Readonly<Record<string, number>> | undefined
  chosen: readonly string[]
  takesSeveral: boolean
  isDisabled: boolean
  /** How the key of the label at a place is printed. */
  hintOf: (index: number) => string | undefined
  searchHint: string | undefined
  searchRef: RefObject<HTMLInputElement | null>
  onPick: (label: string) => void
  /** Absent where the person may not change the label set. */
  onAdd?: (label: string) => Promise<unknown>
}

/** The labels with their keys. Typing finds one; Enter picks the first found or adds what is not there. */
export function ClassPicker({
  labels,
  counts,
  chosen,
  takesSeveral,
  isDisabled,
  hintOf,
  searchHint,
  searchRef,
  onPick,
  onAdd,
}: ClassPickerProps) {
  const { t } = useTranslation('labelling')
  const [text, setText] = useState('')
  const query = text.trim()
  const shown = labels.map((label, index) => ({ ...label, index })).filter(({ name }) => name.toLowerCase().includes(query.toLowerCase()))
  const canAdd = onAdd !== undefined && query !== '' && !labels.some(({ name }) => name === query)
  const add = () => {
    // What was refused lies in the field again.
    if (canAdd) onAdd(query).catch(() => setText((now) => now || query))
    setText('')
    searchRef.current?.blur()
  }
  const enter = () => {
    const [first] = shown
    if (!first) return add()
    if (!isDisabled) onPick(first.name)
    setText('')
    searchRef.current?.blur()
  }
  return (
    <Stack gap="xs" mih={0}>
      <TextInput
        ref={searchRef}
        size="xs"
        aria-label={t(onAdd ? 'picker.search_add' : 'picker.search')}
        placeholder={t(onAdd ? 'picker.search_add' : 'picker.search')}
        leftSection={<IconSearch size={14} />}
        rightSection={
          canAdd ? (
            <ActionIcon size="sm" aria-label={t('picker.add', { name: query })} onClick={add}>
              <IconPlus size={14} />
            </ActionIcon>
          ) : (
            searchHint && <KeyHint>{searchHint}</KeyHint>
          )
        }
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') enter()
          if (event.key === 'Escape') {
            setText('')
            event.currentTarget.blur()
          }
        }}
      />
      <ScrollArea.Autosize mah="max(160px, calc(100dvh - 620px))" type="auto" offsetScrollbars="present">
        <div role={takesSeveral ? 'group' : 'radiogroup'} aria-label={t('picker.title')} className={classes.list}>
          {shown.map(({ name, color, index }) => (
            <UnstyledButton
              key={name}
              role={takesSeveral ? 'checkbox' : 'radio'}
              aria-checked={chosen.includes(name)}
              disabled={isDisabled}
              className={classes.label}
              // Keeps the focus where it is, so that Space and Enter go on to the next picture.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onPick(name)}
            >
              <ColorSwatch size={12} color={color} />
              <Text size="sm" truncate flex={1}>
                {name}
              </Text>
              {counts && (
                <Text size="xs" c="dimmed" aria-hidden>
                  {(counts[name] ?? 0).toLocaleString()}
                </Text>
              )}
              <LabelHint>{index < 9 ? hintOf(index) : undefined}</LabelHint>
            </UnstyledButton>
          ))}
        </div>
      </ScrollArea.Autosize>
      {labels.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('picker.empty')}
        </Text>
      )}
    </Stack>
  )
}

function LabelHint({ children }: { children: string | undefined }) {
  return children === undefined ? null : <KeyHint>{children}</KeyHint>
}
