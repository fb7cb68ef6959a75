import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { IconArrowLeft, IconTags } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'

import type { Project } from '../../../lib/api/types'
import { useNow } from '../../../lib/use-now'
import { useProject } from '../../../lib/project/project'
import { useHasRole, useMe } from '../../../lib/session/session'
import { ErrorState } from '../../../ui/error-state'
import { Facts } from '../../../ui/facts'
import { LoadingPage } from '../../../ui/loading-page'
import { LoadingState } from '../../../ui/loading-state'
import { PageHeader } from '../../../ui/page-header'
import { Section } from '../../../ui/section'
import { Term } from '../../../ui/term'
import { type Campaign, useCampaign, useChangeCampaign, useCampaignReport } from '../api/campaigns'
import { CampaignPeople } from '../components/campaign-people'
import { CampaignProgress } from '../components/campaign-progress'
import { Deadline } from '../components/deadline'
import { Disputes } from '../components/disputes'
import { KappaMatrix } from '../components/kappa-matrix'
import { agreementWord, progressOf } from '../model/progress'

/** One campaign: how far it is, how people do and agree, what they disagree on. */
export function Component() {
  const project = useProject().data
  const { campaign: id = '' } = useParams()
  const campaign = useCampaign(id)
  if (!project || campaign.isPending) return <LoadingPage />
  if (campaign.isLoadingError) return <ErrorState error={campaign.error} onRetry={() => void campaign.refetch()} />
  return <CampaignPage project={project} campaign={campaign.data} />
}

function CampaignPage({ project, campaign }: { project: Project; campaign: Campaign }) {
  const { t } = useTranslation('team')
  const canManage = useHasRole('engineer')
  const me = useMe().data
  const now = useNow(60_000)
  const change = useChangeCampaign(campaign.id)
  const report = useCampaignReport(campaign.id)
  const { disputed, isOverdue } = progressOf(campaign, now)
  // What waits for a person comes first; it stays where it is when the last dispute is decided.
  const [areDisputesFirst] = useState(disputed > 0)
  const isOpen = campaign.state === 'open'
  const isBlind = campaign.opinions_per_item > 1
  const setState = () => change.mutate({ state: isOpen ? 'closed' : 'open' })
  const disputes = isBlind && (
    <Section
      title={
        <Text span inherit>
          {disputed ? t('dispute.title', { count: disputed }) : t('dispute.title_none')}
        </Text>
      }
      help={t('dispute.help')}
    >
      <Disputes
        project={project.id}
        campaign={campaign.id}
        labels={project.label_set.labels}
        canDecide={canManage}
        takesSeveral={project.task_options.labels === 'several'}
      />
    </Section>
  )
  return (
    <>
      <PageHeader
        name={campaign.title}
        title={
          <Group gap="sm" component="span">
            {campaign.title}
            <Badge variant="light" color={isOpen ? 'teal' : 'gray'}>
              {t(`state.${campaign.state}`)}
            </Badge>
          </Group>
        }
        subtitle={campaign.instructions || undefined}
        actions={
          <>
            <Button variant="default" component={Link} to=".." relative="path" leftSection={<IconArrowLeft size={14} />}>
              {t('title')}
            </Button>
            {canManage && (
              <Button variant="default" loading={change.isPending} onClick={setState}>
                {isOpen ? t('close') : t('reopen')}
              </Button>
            )}
            {isOpen && me && campaign.people.includes(`person:${me.id}`) && (
              <Button
                component={Link}
                to={`/projects/${project.id}/labelling?campaign=${campaign.id}`}
                leftSection={<IconTags size={16} />}
              >
                {t('label_here')}
              </Button>
            )}
          </>
        }
      />
      <Stack gap="md">
        {areDisputesFirst && disputes}
        <Section title={t('overview')}>
          <Facts
            facts={[
              { name: t('column.progress'), value: <CampaignProgress campaign={campaign} width={200} /> },
              { name: t('answers'), value: `${campaign.num_opinions} / ${campaign.num_items * campaign.opinions_per_item}` },
              { name: t('new.opinions'), value: campaign.opinions_per_item },
              { name: t('gold_items'), value: campaign.num_gold },
              { name: t('column.deadline'), value: <Deadline value={campaign.deadline_at} isOverdue={isOverdue} /> },
              ...(report.data?.alpha != null
                ? [
                    {
                      name: t('alpha'),
                      help: t('terms:alpha'),
                      value: `${report.data.alpha.toFixed(2)} (${t(`word.${agreementWord(report.data.alpha)}`)})`,
                    },
                  ]
                : []),
              ...(report.data?.mean_iou != null ? [{ name: t('mean_iou'), value: report.data.mean_iou.toFixed(2) }] : []),
            ]}
          />
        </Section>
        <Section title={t('person.title')} help={t('person.help')}>
          {report.isPending && <LoadingState rows={3} />}
          {report.isLoadingError && <ErrorState error={report.error} onRetry={() => void report.refetch()} />}
          {report.data && <CampaignPeople report={report.data} hasGold={campaign.num_gold > 0} isBlind={isBlind} />}
        </Section>
        {isBlind && report.data?.pairs.some(({ kappa }) => kappa !== null) && (
          <Section title={<Term word="kappa">{t('kappa.title')}</Term>} help={t('kappa.help')}>
            <KappaMatrix report={report.data} />
          </Section>
        )}
        {!areDisputesFirst && disputes}
      </Stack>
    </>
  )
}
