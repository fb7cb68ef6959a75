import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import type { Project } from '../../../lib/api/types'
import { useItemKind } from '../../../items'
import { useStacked } from '../../../lib/labels/use-stacked'
import { useProject } from '../../../lib/project/project'
import { useKeyHints, useShortcuts } from '../../../lib/shortcuts/use-shortcuts'
import { afterMutation } from '../../../lib/after-mutation'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { ItemStage } from '../../../items/item-stage'
import { KeyHint } from '../../../ui/key-hint'
import { LoadingState } from '../../../ui/loading-state'
import { PageHeader } from '../../../ui/page-header'
import { PictureBody, PicturePage } from '../../../ui/picture-page'
import { RelativeTime } from '../../../ui/relative-time'
import { AnnotationOverlay } from '../../../answers/annotation-overlay'
import { notifyUndo } from '../../../ui/undo-notice'
import { useDecide, useReviewQueue, useUndoReview, type ReviewChoice } from '../api/review'
import { ReviewFilter } from '../components/review-filter'
import { AnnotationChips } from '../components/annotation-chips'

const AHEAD = 5

/** A second pair of eyes: others' work, one picture after the other. */
export function Component() {
  const project = useProject().data
  return project ? <Review project={project} /> : <LoadingState />
}

function Review({ project }: { project: Project }) {
  const { t } = useTranslation('team')
  const [choice, setChoice] = useState<ReviewChoice>({ author: null, from_people: true, share_percent: 100 })
  const queue = useReviewQueue(project.id, choice)
  const undo = useUndoReview()
  const decide = useDecide()
  const queries = useQueryClient()
  const { preload } = useItemKind()
  const stacked = useStacked()
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set())
  const [numSaved, setNumSaved] = useState(0)
  const [comments, setComments] = useState<Record<string, string>>({})
  const notice = useRef<string>(null)
  const words = useRef<HTMLTextAreaElement>(null)
  const left = (queue.data?.pages.flatMap((page) => page.items) ?? []).filter((one) => !decided.has(one.item))
  const item = left[0]
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = queue

  useEffect(() => {
    if (left.length <= AHEAD && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [left.length, hasNextPage, isFetchingNextPage, fetchNextPage])
  useEffect(() => {
    for (const next of left.slice(1, AHEAD)) preload(queries, next)
  }, [left, queries, preload])

  const comment = (item && comments[item.item]) ?? ''
  const submit = (decision: 'approve' | 'return') => {
    if (!item) return
    setDecided((now) => new Set(now).add(item.item))
    const bringBack = () => setDecided((now) => new Set([...now].filter((one) => one !== item.item)))
    const takeBack = (review: string) =>
      afterMutation(undo.mutateAsync(review), () => {
        setNumSaved((now) => now - 1)
        bringBack()
        void queue.refetch()
      })
    afterMutation(
      decide.mutateAsync({ item: item.item, decision, comment: comment.trim() }),
      ({ id }) => {
        setNumSaved((now) => now + 1)
        if (notice.current) notifications.hide(notice.current)
        notice.current = notifyUndo(t(`review.done_${decision}`, { name: item.name }), () => takeBack(id))
      },
      bringBack,
    )
  }
  useShortcuts('review', {
    approve: () => submit('approve'),
    return: () => submit('return'),
    comment: () => words.current?.focus(),
  })
  const hint = useKeyHints('review')
  return (
    <PicturePage>
      <PageHeader
        title={t('review.title')}
        subtitle={numSaved > 0 ? t('review.done_count', { count: numSaved }) : t('review.lead')}
        actions={
          <Button variant="default" component={Link} to=".." relative="path" leftSection={<IconArrowLeft size={14} />}>
            {t('title')}
          </Button>
        }
      />
      <ReviewFilter
        project={project.id}
        choice={choice}
        numDecided={numSaved}
        onChange={(next) => {
          setChoice(next)
          setNumSaved(0)
        }}
      />
      {queue.isPending && <LoadingState />}
      {queue.isLoadingError && <ErrorState error={queue.error} onRetry={() => void queue.refetch()} />}
      {queue.data && !item && !queue.hasNextPage && (
        <EmptyState
          drawing="done"
          title={t('review.empty')}
          action={
            <Button variant="default" component={Link} to={`/projects/${project.id}/data?state=annotated`}>
              {t('review.browse')}
            </Button>
          }
        >
          {t(choice.from_people && choice.author === null ? 'review.empty_people' : 'review.empty_text')}
        </EmptyState>
      )}
      {item && (
        <PictureBody
          stage={
            <ItemStage
              item={item}
              overlay={<AnnotationOverlay item={item} annotations={stacked(item.annotations)} labels={project.label_set.labels} hasNames />}
            />
          }
          foot={
            <Stack gap="sm">
              <Group grow gap="xs">
                <Button variant="default" px="xs" rightSection={<KeyHint>{hint('return') ?? ''}</KeyHint>} onClick={() => submit('return')}>
                  {t('review.return')}
                </Button>
                <Button px="xs" rightSection={<KeyHint>{hint('approve') ?? ''}</KeyHint>} onClick={() => submit('approve')}>
                  {t('review.approve')}
                </Button>
              </Group>
              <Text size="xs" c="dimmed">
                {t('review.return_text')}
              </Text>
            </Stack>
          }
        >
          <Stack gap="md">
            <div>
              <Text size="sm" fw={600} truncate title={item.name}>
                {item.name}
              </Text>
              <Text size="xs" c="dimmed">
                {item.author_name || t(item.author.startsWith('model:') ? 'review.by_model' : 'review.imported')} ·{' '}
                <RelativeTime value={item.annotated_at} />
              </Text>
            </div>
            <AnnotationChips annotations={item.annotations} labels={project.label_set.labels} />
            <Textarea
              ref={words}
              autosize
              minRows={2}
              maxLength={1000}
              label={
                <>
                  {t('review.comment')} <KeyHint>{hint('comment') ?? ''}</KeyHint>
                </>
              }
              value={comment}
              onChange={(event) => setComments({ ...comments, [item.item]: event.currentTarget.value })}
              onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
            />
          </Stack>
        </PictureBody>
      )}
    </PicturePage>
  )
}
