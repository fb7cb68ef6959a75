import { Button, Group, Paper, Stack, Text, Textarea, Tooltip } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconArrowLeft, IconCheck, IconChecks, IconCornerUpLeft } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import type { Project } from '../../../lib/api/types'
import { useProject } from '../../../lib/project/project'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { KeyHint } from '../../../ui/key-hint'
import { LoadingState } from '../../../ui/loading-state'
import { notifyError } from '../../../ui/notify'
import { PageHeader } from '../../../ui/page-header'
import { RelativeTime } from '../../../ui/relative-time'
import { useDecide, useReviewQueue } from '../api/review'
import { SaidChips } from '../components/said'
import classes from './review.module.css'

const AHEAD = 5

/** A second pair of eyes: others' work, one picture after the other. */
export function Component() {
  const project = useProject().data
  return project ? <Review project={project} /> : <LoadingState />
}

function Review({ project }: { project: Project }) {
  const { t } = useTranslation('team')
  const queue = useReviewQueue(project.id, null)
  const decide = useDecide()
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set())
  const [comment, setComment] = useState('')
  const words = useRef<HTMLTextAreaElement>(null)
  const left = (queue.data?.pages.flatMap((page) => page.items) ?? []).filter((one) => !decided.has(one.item))
  const item = left[0]
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = queue

  useEffect(() => {
    if (left.length <= AHEAD && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [left.length, hasNextPage, isFetchingNextPage, fetchNextPage])
  useEffect(() => {
    for (const next of left.slice(1, AHEAD)) new Image().src = next.picture_url
  }, [left])

  const say = (decision: 'approve' | 'return') => {
    if (!item) return
    setDecided(new Set([...decided, item.item]))
    setComment('')
    decide.mutate(
      { item: item.item, decision, comment: comment.trim() },
      {
        onError: (error) => {
          setDecided((before) => new Set([...before].filter((one) => one !== item.item)))
          notifyError(error)
        },
      },
    )
  }
  useHotkeys([
    ['A', () => say('approve')],
    ['R', () => say('return')],
    ['C', () => words.current?.focus()],
  ])
  return (
    <div className={classes.page}>
      <PageHeader
        title={t('review.title')}
        subtitle={decided.size > 0 ? t('review.done_count', { count: decided.size }) : t('review.lead')}
        actions={
          <Button variant="default" component={Link} to=".." relative="path" leftSection={<IconArrowLeft size={14} />}>
            {t('title')}
          </Button>
        }
      />
      {queue.isPending && <LoadingState />}
      {queue.isError && <ErrorState error={queue.error} onRetry={() => void queue.refetch()} />}
      {queue.isSuccess && !item && !queue.hasNextPage && (
        <EmptyState icon={<IconChecks size={40} stroke={1.2} />} title={t('review.empty')}>
          {t('review.empty_text')}
        </EmptyState>
      )}
      {item && (
        <div className={classes.body}>
          <div className={classes.stage}>
            <img className={classes.picture} key={item.item} src={item.picture_url} alt={item.name} />
          </div>
          <Paper className={classes.side}>
            <Stack gap="md" h="100%">
              <div>
                <Text size="sm" fw={600} truncate title={item.name}>
                  {item.name}
                </Text>
                <Text size="xs" c="dimmed">
                  {item.author_name || t(item.author.startsWith('model:') ? 'review.by_model' : 'review.imported')} ·{' '}
                  <RelativeTime value={item.annotated_at} />
                </Text>
              </div>
              <SaidChips annotations={item.annotations} labels={project.label_set.labels} />
              <Textarea
                ref={words}
                autosize
                minRows={2}
                maxLength={1000}
                label={
                  <>
                    {t('review.comment')} <KeyHint>C</KeyHint>
                  </>
                }
                value={comment}
                onChange={(event) => setComment(event.currentTarget.value)}
                onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
              />
              <Group grow mt="auto">
                <Tooltip label="R">
                  <Button variant="default" leftSection={<IconCornerUpLeft size={16} />} onClick={() => say('return')}>
                    {t('review.return')}
                  </Button>
                </Tooltip>
                <Tooltip label="A">
                  <Button leftSection={<IconCheck size={16} />} onClick={() => say('approve')}>
                    {t('review.approve')}
                  </Button>
                </Tooltip>
              </Group>
              <Text size="xs" c="dimmed">
                <KeyHint>A</KeyHint> {t('review.approve')} · <KeyHint>R</KeyHint> {t('review.return')}. {t('review.return_text')}
              </Text>
            </Stack>
          </Paper>
        </div>
      )}
    </div>
  )
}
