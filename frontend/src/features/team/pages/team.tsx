import { Button, Tabs } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChecks, IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'

import { useProject } from '../../../lib/project/project'
import { useHasRole } from '../../../lib/session/session'
import { EmptyState } from '../../../ui/empty-state'
import { LoadingPage } from '../../../ui/loading-page'
import { PageHeader } from '../../../ui/page-header'
import { useCampaigns } from '../api/campaigns'
import { Campaigns } from '../components/campaigns'
import { NewCampaign } from '../components/new-campaign'
import { OpenWork } from '../components/open-work'
import { Workers } from '../components/workers'

/** Work that is shared out among people, and how they do. */
export function Component() {
  const { t } = useTranslation('team')
  const project = useProject().data
  const navigate = useNavigate()
  const canManage = useHasRole('engineer')
  const canReview = useHasRole('labeller')
  const [search, setSearch] = useSearchParams()
  const tabs = canManage ? (['campaigns', 'open', 'people'] as const) : (['campaigns', 'open'] as const)
  const tab = tabs.find((one) => one === search.get('tab')) ?? 'campaigns'
  const [isOpen, dialog] = useDisclosure()
  const campaigns = useCampaigns(project?.id ?? '', canManage)
  // Where there is nothing else, the drawing has the button.
  const isEmpty = tab === 'campaigns' && campaigns.data?.pages[0]?.items.length === 0
  if (!project) return <LoadingPage title={t('title')} subtitle={t('lead')} />
  const create = canManage && (
    <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
      {t('new.open')}
    </Button>
  )
  const review = canReview && (
    <Button variant="default" component={Link} to="review" leftSection={<IconChecks size={16} />}>
      {t('review.open')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('title')}
        subtitle={t('lead')}
        actions={
          <>
            {review}
            {!isEmpty && create}
          </>
        }
      />
      <Tabs value={tab} onChange={(next) => setSearch(next && next !== 'campaigns' ? { tab: next } : {}, { replace: true })}>
        <Tabs.List mb="md">
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`tab.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab}>
          {tab === 'people' && <Workers project={project.id} />}
          {tab === 'open' && <OpenWork project={project} />}
          {tab === 'campaigns' && canManage && <Campaigns project={project.id} action={create} />}
          {tab === 'campaigns' && !canManage && (
            <EmptyState title={t('only_managers')} action={review}>
              {t('only_managers_text')}
            </EmptyState>
          )}
        </Tabs.Panel>
      </Tabs>
      {isOpen && <NewCampaign project={project} onClose={dialog.close} onCreated={(id) => void navigate(id)} />}
    </>
  )
}
