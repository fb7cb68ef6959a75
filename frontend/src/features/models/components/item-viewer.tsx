import { ActionIcon, Button, Group, Modal, Text, Tooltip } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconTags } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'

import { useItemKind } from '../../../items'
import { itemQuery } from '../../../lib/item-query'
import { useHasRole } from '../../../lib/session/session'
import { useActionOf, useKeyHints } from '../../../lib/shortcuts/use-shortcuts'
import { ErrorState } from '../../../ui/error-state'
import { KeyHint } from '../../../ui/key-hint'
import { LoadingState } from '../../../ui/loading-state'
import type { JudgedItem } from '../api/types'
import classes from './item-viewer.module.css'

/** Items that are fetched before they come up. */
const AHEAD = 3

interface Listed {
  /** Undefined while it is on its way. */
  items: readonly JudgedItem[] | undefined
  total: number
  error: unknown
  retry: () => void
  /** Fetches more of them; null where all are here, or more are on their way. */
  more: (() => void) | null
  isMoreComing: boolean
}

interface ItemViewerProps {
  project: string
  /** The items among which one goes on. */
  listed: Listed
  /** Id of the one that is shown. */
  item: string
  /** What the page is called to which the labelling page leads back. */
  name: string
  onItem: (item: string) => void
  onClose: () => void
  /** Shows or hides what counted in the item. */
  onEvidence: () => void
  /** The item as large as the window allows, with its annotations. */
  children: (item: JudgedItem) => ReactNode
}

/** One judged item after the other, large. Arrows go on, Escape closes, and a key each leads to the label and shows what counted. */
export function ItemViewer({ project, listed, item, name, onItem, onClose, onEvidence, children }: ItemViewerProps) {
  const { t } = useTranslation('report')
  const items = listed.items ?? []
  const place = items.findIndex((each) => each.item === item)
  const shown = items[place]
  useAhead(items, place, listed.more)
  const isComing = !listed.items || (!shown && (listed.more !== null || listed.isMoreComing))
  const step = (by: 1 | -1) => () => {
    const next = items[place + by]
    if (next) onItem(next.item)
  }
  const way = useWayToLabel({ project, item, ids: items.map((each) => each.item), name })
  const press = useKeys({ next: step(1), previous: step(-1), label: way.go, evidence: onEvidence })
  return (
    <Modal opened onClose={onClose} size="min(1500px, 96vw)" yOffset="2dvh" zIndex={300} returnFocus={false} title={shown?.name ?? ''}>
      <div className={classes.body} tabIndex={-1} data-autofocus onKeyDown={press} aria-label={t('viewer.title')} role="group">
        <Group gap="xs" justify="space-between" wrap="nowrap">
          <Group gap={4} wrap="nowrap">
            <Step id="previous" isOff={place <= 0} onClick={step(-1)} />
            <Text size="xs" c="dimmed" className={classes.number} aria-live="polite">
              {place >= 0 && t('viewer.place', { number: place + 1, total: listed.total })}
            </Text>
            <Step id="next" isOff={place < 0 || place === items.length - 1} onClick={step(1)} />
          </Group>
          {shown && way.button}
        </Group>
        {shown ? (
          children(shown)
        ) : listed.error != null ? (
          <ErrorState error={listed.error} onRetry={listed.retry} />
        ) : isComing ? (
          <LoadingState />
        ) : (
          <Text c="dimmed">{t('viewer.not_listed')}</Text>
        )}
      </div>
    </Modal>
  )
}

/** Fetches what comes next: more of the list, and the next items themselves. */
function useAhead(items: readonly JudgedItem[], place: number, more: (() => void) | null) {
  const queries = useQueryClient()
  const { preload } = useItemKind()
  const isShort = place < 0 || place >= items.length - AHEAD
  useEffect(() => {
    if (isShort) more?.()
  }, [isShort, more])
  const next = items[place + 1]?.item
  useEffect(() => {
    if (next)
      void queries.fetchQuery(itemQuery(next)).then(
        (item) => preload(queries, item),
        () => undefined,
      )
  }, [next, queries, preload])
}

interface Way {
  project: string
  item: string
  ids: readonly string[]
  name: string
}

/** To the label of the item, from where one comes back to this place. */
function useWayToLabel({ project, item, ids, name }: Way) {
  const { t } = useTranslation('report')
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const canLabel = useHasRole('labeller')
  const hint = useKeyHints('report')('label')
  const to = `/projects/${project}/labelling?item=${item}`
  const state = { ids, back: { to: `${pathname}${search}`, name } }
  const words = t(canLabel ? 'viewer.keys.label' : 'viewer.look')
  return {
    go: () => void navigate(to, { state }),
    button: (
      <Button
        component={Link}
        to={to}
        state={state}
        size="xs"
        leftSection={<IconTags size={14} />}
        rightSection={hint && <KeyHint>{hint}</KeyHint>}
      >
        {words}
      </Button>
    ),
  }
}

function Step({ id, isOff, onClick }: { id: 'next' | 'previous'; isOff: boolean; onClick: () => void }) {
  const { t } = useTranslation('report')
  const hint = useKeyHints('report')(id)
  const name = t(`viewer.keys.${id}`)
  const Icon = id === 'next' ? IconChevronRight : IconChevronLeft
  return (
    <Tooltip label={hint ? `${name} (${hint})` : name}>
      <ActionIcon variant="default" aria-label={name} disabled={isOff} onClick={onClick}>
        <Icon size={16} />
      </ActionIcon>
    </Tooltip>
  )
}

/** Dialogs hear their keys themselves; Enter presses what has the focus. */
function useKeys(actions: Record<string, () => void>) {
  const actionOf = useActionOf('report')
  return (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.target as HTMLElement).closest('a, button')) return
    const action = actionOf(event.nativeEvent)
    if (!action || (event.repeat && !action.repeats)) return
    event.preventDefault()
    actions[action.id]?.()
  }
}
