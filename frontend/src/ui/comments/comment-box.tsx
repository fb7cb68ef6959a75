import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { type KeyboardEvent, type RefObject, useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { CommentOutbox } from '../../lib/comments/outbox'
import { useMention } from './use-mention'

const MAX_CHARS = 4000
/** From here on, the number of characters left is shown. */
const WARNS_FROM = 3500

interface CommentBoxProps {
  label: string
  submit: string
  /** Name under which what is typed is kept. */
  field: string
  outbox: CommentOutbox
  initial?: string
  isBusy?: boolean
  /** Names that can be mentioned. */
  people?: readonly string[]
  fieldRef?: RefObject<HTMLTextAreaElement | null>
  onSubmit: (text: string) => void
  onCancel?: () => void
}

/** A field to write in. What is typed is kept at each key, so that leaving the page loses nothing. */
export function CommentBox({
  label,
  submit,
  field,
  outbox,
  initial = '',
  isBusy,
  people = [],
  fieldRef,
  onSubmit,
  onCancel,
}: CommentBoxProps) {
  const { t } = useTranslation('comments')
  const [text, setText] = useState(() => outbox.draft(field) || initial)
  const trimmed = text.trim()
  const type = (next: string) => {
    setText(next)
    outbox.keepDraft(field, next === initial ? '' : next)
  }
  const mention = useMention(people, text, type)
  const finish = () => {
    outbox.keepDraft(field, '')
    setText(initial)
  }
  const send = () => {
    if (!trimmed || isBusy || trimmed.length > MAX_CHARS) return
    onSubmit(trimmed)
    if (!onCancel) finish()
  }
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    if (mention.press(event)) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
    else if (event.key === 'Escape') {
      if (onCancel) {
        finish()
        onCancel()
      } else event.currentTarget.blur()
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <Stack gap={6}>
      <Textarea
        ref={mention.fieldRef(fieldRef)}
        {...mention.field}
        size="sm"
        aria-label={label}
        placeholder={label}
        autosize
        minRows={1}
        maxRows={8}
        autoFocus={onCancel !== undefined}
        value={text}
        error={trimmed.length > MAX_CHARS ? t('too_long', { count: trimmed.length - MAX_CHARS }) : undefined}
        onChange={(event) => {
          type(event.currentTarget.value)
          mention.moved(event.currentTarget.selectionStart)
        }}
        onKeyDown={press}
      />
      {mention.list}
      {(trimmed || onCancel) && (
        <Group gap="xs" justify="flex-end">
          {trimmed.length > WARNS_FROM && trimmed.length <= MAX_CHARS && (
            <Text size="xs" c="dimmed" flex={1}>
              {t('left', { count: MAX_CHARS - trimmed.length })}
            </Text>
          )}
          {onCancel && (
            <Button
              size="compact-xs"
              variant="subtle"
              color="gray"
              onClick={() => {
                finish()
                onCancel()
              }}
            >
              {t('cancel')}
            </Button>
          )}
          <Button
            size="compact-xs"
            loading={isBusy}
            disabled={!trimmed || trimmed === initial || trimmed.length > MAX_CHARS}
            onClick={send}
          >
            {submit}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
