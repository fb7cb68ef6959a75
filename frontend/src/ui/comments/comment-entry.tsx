import { ActionIcon, Group, Menu, Text, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconCheck, IconDots, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { type Comment, useChangeComment } from '../../lib/comments/comments'
import type { CommentOutbox } from '../../lib/comments/outbox'
import { afterMutation } from '../../lib/after-mutation'
import { RelativeTime } from '../relative-time'
import { notifyUndo } from '../undo-notice'
import { CommentBox } from './comment-box'
import { CommentText } from './comment-text'
import classes from './comments.module.css'

interface CommentEntryProps {
  comment: Comment
  person: string
  canWrite: boolean
  outbox: CommentOutbox
  /** Names that can be mentioned. */
  people: readonly string[]
}

/** One comment: settled by anybody who labels, changed and taken back by its author; each can be undone. */
export function CommentEntry({ comment, person, canWrite, outbox, people }: CommentEntryProps) {
  const { t } = useTranslation('comments')
  const change = useChangeComment()
  const field = `edit-${comment.id}`
  const [isEditing, setEditing] = useState(() => outbox.draft(field) !== '')
  const isOwn = comment.by === `person:${person}`
  const isResolved = comment.resolved_at !== null
  const edit = (text: string) =>
    afterMutation(change.mutateAsync({ kind: 'edit', id: comment.id, text }), () => {
      outbox.keepDraft(field, '')
      setEditing(false)
      notifyUndo(t('edited'), () => change.mutate({ kind: 'edit', id: comment.id, text: comment.text }))
    })
  const remove = () =>
    afterMutation(change.mutateAsync({ kind: 'delete', id: comment.id }), () =>
      notifyUndo(t('deleted'), () => change.mutate({ kind: 'restore', id: comment.id })),
    )
  return (
    <article className={classes.entry} data-resolved={isResolved || undefined} aria-label={t('by', { name: nameOf(comment, t) })}>
      <Group gap={4} wrap="nowrap" h={22}>
        <Text size="xs" fw={600} truncate>
          {nameOf(comment, t)}
        </Text>
        <Text size="xs" c="dimmed" truncate flex={1} miw={56}>
          <RelativeTime value={comment.at} />
          {comment.edited_at && ` · ${t('was_edited')}`}
        </Text>
        {canWrite && !isEditing && (
          <Tooltip label={t(isResolved ? 'reopen' : 'resolve')}>
            <ActionIcon
              size="sm"
              variant="subtle"
              color="gray"
              loading={change.isPending}
              aria-label={t(isResolved ? 'reopen' : 'resolve')}
              onClick={() => change.mutate({ kind: 'resolve', id: comment.id, is_resolved: !isResolved })}
            >
              {isResolved ? <IconArrowBackUp size={14} /> : <IconCheck size={14} />}
            </ActionIcon>
          </Tooltip>
        )}
        {canWrite && isOwn && !isEditing && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon size="sm" variant="subtle" color="gray" aria-label={t('more')}>
                <IconDots size={14} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<IconPencil size={14} />} onClick={() => setEditing(true)}>
                {t('edit')}
              </Menu.Item>
              <Menu.Item leftSection={<IconTrash size={14} />} color="red" onClick={remove}>
                {t('common:delete')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
      {isEditing ? (
        <CommentBox
          label={t('edit')}
          submit={t('common:save')}
          field={field}
          outbox={outbox}
          people={people}
          initial={comment.text}
          isBusy={change.isPending}
          onSubmit={edit}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <>
          <CommentText text={comment.text} mentions={comment.mentions} />
          {comment.unnotified.length > 0 && (
            <Text size="xs" c="dimmed">
              {t('unnotified', { names: comment.unnotified.join(', ') })}
            </Text>
          )}
        </>
      )}
      {isResolved && (
        <Text size="xs" c="dimmed">
          {t('resolved_by', { name: comment.resolved_by_name || t('somebody') })}
        </Text>
      )}
    </article>
  )
}

function nameOf(comment: Comment, t: (key: string) => string): string {
  return comment.by_name || t('somebody')
}
