import { ActionIcon, Anchor, Button, Group, Paper, Stack, Text, Tooltip } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { ItemThumb } from '../../../items/item-thumb'
import type { Project } from '../../../lib/api/types'
import { useChangeComment, useOpenList } from '../../../lib/comments/comments'
import { useHasRole } from '../../../lib/session/session'
import { CommentText } from '../../../ui/comments/comment-text'
import { ErrorState } from '../../../ui/error-state'
import { LoadMore } from '../../../ui/load-more'
import { LoadingState } from '../../../ui/loading-state'
import { RelativeTime } from '../../../ui/relative-time'
import { Section } from '../../../ui/section'
import { useCampaigns } from '../api/campaigns'
import classes from './disputes.module.css'

/** What people disagree on or ask about, all of a project in one place. */
export function OpenWork({ project }: { project: Project }) {
  const canManage = useHasRole('engineer')
  return (
    <Stack>
      {canManage && <OpenDisputes project={project.id} />}
      <OpenComments project={project} />
    </Stack>
  )
}

function OpenDisputes({ project }: { project: string }) {
  const { t } = useTranslation('team')
  const campaigns = useCampaigns(project)
  const disputed = (campaigns.data?.pages.flatMap((page) => page.items) ?? []).filter((one) => (one.by_outcome.disputed ?? 0) > 0)
  return (
    <Section title={t('open.disputes')}>
      {campaigns.isPending && <LoadingState rows={1} />}
      {campaigns.data && disputed.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('open.no_disputes')}
        </Text>
      )}
      <Stack gap="xs">
        {disputed.map((campaign) => (
          <Group key={campaign.id} justify="space-between" wrap="nowrap">
            <Text size="sm">
              <b>{campaign.title}</b> · {t('open.disputes_text', { count: campaign.by_outcome.disputed ?? 0 })}
            </Text>
            <Button component={Link} to={campaign.id} size="xs" variant="default" flex="none">
              {t('open.decide')}
            </Button>
          </Group>
        ))}
      </Stack>
      <LoadMore query={campaigns} />
    </Section>
  )
}

function OpenComments({ project }: { project: Project }) {
  const { t } = useTranslation('team')
  const { t: word } = useTranslation('comments')
  const canResolve = useHasRole('labeller')
  const comments = useOpenList(project.id)
  const change = useChangeComment()
  const rows = comments.data?.pages.flatMap((page) => page.items) ?? []
  const back = { to: `/projects/${project.id}/team?tab=open`, name: t('open.title') }
  return (
    <Section title={t('open.comments')} help={t('open.comments_help')}>
      {comments.isPending && <LoadingState rows={3} height={72} />}
      {comments.isLoadingError && <ErrorState error={comments.error} onRetry={() => void comments.refetch()} />}
      {comments.data && rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('open.no_comments')}
        </Text>
      )}
      <Stack gap="xs">
        {rows.map(({ comment, item }) => {
          const page = `/projects/${project.id}/labelling?item=${item.id}`
          return (
            <Paper key={comment.id} className={classes.row}>
              <Link to={page} state={{ back }} className={classes.whole} aria-label={item.name}>
                <ItemThumb size={72} item={item} alt={item.name} />
              </Link>
              <Stack gap={4} flex={1} miw={0}>
                <Text size="xs" c="dimmed" truncate>
                  <b>{comment.by_name || word('somebody')}</b> · <RelativeTime value={comment.at} /> ·{' '}
                  <Anchor component={Link} to={page} state={{ back }} size="xs">
                    {item.name}
                  </Anchor>
                </Text>
                <CommentText text={comment.text} mentions={comment.mentions} />
              </Stack>
              {canResolve && (
                <Tooltip label={word('resolve')}>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={word('resolve')}
                    loading={change.isPending && change.variables.id === comment.id}
                    onClick={() => change.mutate({ kind: 'resolve', id: comment.id, is_resolved: true })}
                  >
                    <IconCheck size={16} />
                  </ActionIcon>
                </Tooltip>
              )}
            </Paper>
          )
        })}
      </Stack>
      <LoadMore query={comments} />
    </Section>
  )
}
