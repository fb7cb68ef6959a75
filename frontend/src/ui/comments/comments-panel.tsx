import { Alert, Badge, Collapse, Group, Loader, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconMessage } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useComments, useMentionable } from '../../lib/comments/comments'
import type { Unsent } from '../../lib/comments/outbox'
import { useOutbox } from '../../lib/comments/sending'
import { useMe } from '../../lib/session/session'
import { useKeyHints, useShortcuts } from '../../lib/shortcuts/use-shortcuts'
import { KeyHint } from '../key-hint'
import { CommentBox } from './comment-box'
import { CommentEntry } from './comment-entry'
import classes from './comments.module.css'
import { UnsentEntry } from './unsent-entry'

interface CommentsPanelProps {
  item: string
  canWrite: boolean
  /** The page's shortcuts, whose `comment` leads to the field. */
  scope?: string
  /** Expanded even if there is no comment yet. */
  isOpen?: boolean
}

/** Comments on an item. Collapsed to one line if none is unresolved, to leave space for the labels. */
export function CommentsPanel(props: CommentsPanelProps) {
  const person = useMe().data?.id
  if (!person) return null
  return <Panel key={props.item} person={person} {...props} />
}

function Panel({ item, canWrite, scope = '', isOpen: isAlwaysOpen = false, person }: CommentsPanelProps & { person: string }) {
  const { t } = useTranslation('comments')
  const comments = useComments(item)
  const people = useMentionable(item, canWrite).data ?? []
  const { outbox, state } = useOutbox(person)
  const [chosen, setChosen] = useState<boolean | null>(null)
  const [showsResolved, setShowsResolved] = useState(false)
  const [numWithdrawn, setNumWithdrawn] = useState(0)
  const field = useRef<HTMLTextAreaElement>(null)
  const all = comments.data ?? []
  const known = new Set(all.map(({ operation }) => operation))
  const unsent = state.unsent.filter((entry) => entry.item === item && !known.has(entry.operation))
  const open = all.filter((comment) => !comment.resolved_at)
  const resolved = all.filter((comment) => comment.resolved_at)
  const num = open.length + unsent.length
  const isOpen = isAlwaysOpen || (chosen ?? (num > 0 || outbox.draft(item) !== ''))
  const hint = useKeyHints(scope)('comment')
  useShortcuts(scope, {
    comment: () => {
      setChosen(true)
      requestAnimationFrame(() => field.current?.focus())
    },
  })
  const takeBack = ({ operation, text }: Unsent) => {
    outbox.keepDraft(item, [outbox.draft(item), text].filter(Boolean).join('\n'))
    outbox.discard(operation)
    setNumWithdrawn((now) => now + 1)
  }
  return (
    <section aria-label={t('title')}>
      {!isAlwaysOpen && (
        <UnstyledButton className={classes.head} aria-expanded={isOpen} onClick={() => setChosen(!isOpen)}>
          <IconMessage size={16} />
          <Text size="sm" fw={600} flex={1}>
            {t('title')}
          </Text>
          {num > 0 && (
            <Badge size="sm" variant="light" aria-label={t('num_open', { count: num })}>
              {num}
            </Badge>
          )}
          {hint && <KeyHint>{hint}</KeyHint>}
          <IconChevronDown className={classes.arrow} data-open={isOpen || undefined} size={14} />
        </UnstyledButton>
      )}
      <Collapse expanded={isOpen} transitionDuration={0}>
        <Stack gap="xs" pt={isAlwaysOpen ? 0 : 'xs'}>
          {comments.isPending && <Loader size="xs" aria-label={t('loading')} />}
          {comments.isError && (
            <Text size="xs" c="red">
              {t('failed')}{' '}
              <UnstyledButton className={classes.link} onClick={() => void comments.refetch()}>
                {t('common:retry')}
              </UnstyledButton>
            </Text>
          )}
          {comments.isSuccess && all.length + unsent.length === 0 && (
            <Text size="xs" c="dimmed">
              {t(canWrite ? 'none' : 'none_read')}
            </Text>
          )}
          {showsResolved && resolved.map((one) => <CommentEntry key={one.id} comment={one} {...{ person, canWrite, outbox, people }} />)}
          {open.map((one) => (
            <CommentEntry key={one.id} comment={one} {...{ person, canWrite, outbox, people }} />
          ))}
          {unsent.map((entry) => (
            <UnsentEntry key={entry.operation} entry={entry} onTakeBack={takeBack} />
          ))}
          {state.isUnkept && (
            <Alert color="orange" p="xs">
              {t('unkept')}
            </Alert>
          )}
          {resolved.length > 0 && (
            <Group>
              <UnstyledButton className={classes.link} aria-expanded={showsResolved} onClick={() => setShowsResolved(!showsResolved)}>
                {t(showsResolved ? 'hide_resolved' : 'show_resolved', { count: resolved.length })}
              </UnstyledButton>
            </Group>
          )}
          {canWrite && (
            <CommentBox
              key={numWithdrawn}
              label={t('write')}
              submit={t('send')}
              field={item}
              outbox={outbox}
              people={people}
              fieldRef={field}
              onSubmit={(text) => {
                outbox.add(item, text)
                setChosen(true)
              }}
            />
          )}
        </Stack>
      </Collapse>
    </section>
  )
}
