import { Button, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core'
import { IconAlarm, IconTags } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { useNow } from '../../../lib/use-now'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { PageHeader } from '../../../ui/page-header'
import { type MyCampaign, useMyCampaigns } from '../api/my-campaigns'

/** What I am asked to label, wherever it is. */
export function Component() {
  const { t } = useTranslation('tasks')
  const campaigns = useMyCampaigns()
  return (
    <Stack gap={0} maw={860}>
      <PageHeader title={t('title')} subtitle={t('lead')} />
      {campaigns.isPending && <LoadingState rows={3} height={96} />}
      {campaigns.isLoadingError && <ErrorState error={campaigns.error} onRetry={() => void campaigns.refetch()} />}
      {campaigns.data?.length === 0 && (
        <EmptyState
          drawing="done"
          title={t('empty')}
          action={
            <Button variant="default" component={Link} to="/">
              {t('to_projects')}
            </Button>
          }
        >
          {t('empty_text')}
        </EmptyState>
      )}
      <Stack gap="sm">
        {campaigns.data?.map((campaign) => (
          <Task key={campaign.id} campaign={campaign} />
        ))}
      </Stack>
    </Stack>
  )
}

function Task({ campaign }: { campaign: MyCampaign }) {
  const { t, i18n } = useTranslation('tasks')
  const now = useNow(60_000)
  const { num_mine, num_open, deadline_at } = campaign
  const isOpen = campaign.state === 'open' && num_open > 0
  const isOverdue = isOpen && deadline_at !== null && new Date(deadline_at).getTime() < now
  const day = deadline_at && new Date(deadline_at).toLocaleDateString(i18n.language, { month: 'short', day: 'numeric', year: 'numeric' })
  return (
    <Paper component="article">
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <div style={{ minWidth: 0 }}>
          <Text size="xs" c="dimmed">
            {campaign.project_name}
          </Text>
          <Title order={2} size="h4">
            {campaign.title}
          </Title>
          {campaign.instructions && (
            <Text size="sm" mt={4} style={{ whiteSpace: 'pre-wrap' }}>
              {campaign.instructions}
            </Text>
          )}
        </div>
        {isOpen ? (
          <Button
            component={Link}
            to={`/projects/${campaign.project}/labelling?campaign=${campaign.id}`}
            leftSection={<IconTags size={16} />}
          >
            {num_mine ? t('go_on') : t('start')}
          </Button>
        ) : (
          <Text size="sm" c="dimmed">
            {campaign.state === 'open' ? t('done') : t('closed')}
          </Text>
        )}
      </Group>
      <Group gap="sm" mt="sm">
        <Progress
          w={180}
          size="sm"
          value={num_mine + num_open ? (100 * num_mine) / (num_mine + num_open) : 100}
          aria-label={t('progress', { mine: num_mine, open: num_open })}
        />
        <Text size="sm" c="dimmed">
          {t('progress', { mine: num_mine, open: num_open })}
        </Text>
        {day && (
          <Group gap={4} c={isOverdue ? 'red' : 'dimmed'}>
            {isOverdue && <IconAlarm size={15} aria-hidden />}
            <Text size="sm">{t(isOverdue ? 'overdue' : 'until', { day })}</Text>
          </Group>
        )}
      </Group>
    </Paper>
  )
}
