import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'

import { afterMutation } from '../../../lib/after-mutation'
import { useFailureText } from '../../../lib/failure-text'
import { useLocalText } from '../../../lib/local-text'
import type { Job } from '../../../lib/api/types'
import { useHasRole } from '../../../lib/session/session'
import { useCures, useCureStudy } from '../api/get-cures'
import type { Cure, Study } from '../api/types'
import { CureProgress } from './cure-progress'
import { FailedItems } from './failed-items'
import classes from './failure-alert.module.css'

/** Why a study has no model, or one that the time limit cut off: the cause, what made it fail, and a button for each cure. */
export function FailureAlert({ study }: { study: Study }) {
  const { t } = useTranslation('studies')
  const failureText = useFailureText()
  const isCut = study.state === 'succeeded' && study.ended_by === 'time_limit'
  const { data: found } = useCures(study.id, study.error !== null || isCut)
  const failure = study.error && failureText(study.error)
  if (!failure && !found?.cures.length) return null
  return (
    <Alert
      color={failure ? 'red' : 'yellow'}
      icon={<IconAlertTriangle size={18} />}
      title={failure ? failure.message : t('cure.time_limit')}
    >
      <Stack gap="sm">
        {failure?.hint && <Text size="sm">{failure.hint}</Text>}
        <Cures study={study} />
      </Stack>
    </Alert>
  )
}

/** What made a study, or the trial of this id, fail, and a button for each cure. */
export function Cures({ study, trial }: { study: Study; trial?: string }) {
  const { t } = useTranslation('studies')
  const failureText = useFailureText()
  const { data: found, refetch } = useCures(study.id, true, trial)
  const navigate = useNavigate()
  const onEnded = useCallback(
    (job: Job) => void (job.made ? navigate(`/projects/${job.project}/studies/${job.made}`) : refetch()),
    [navigate, refetch],
  )
  if (!found) return null
  return (
    <>
      {found.items.length > 0 && (
        <FailedItems
          project={study.project}
          title={t('cure.concerned', { count: found.num_items })}
          items={found.items}
          count={found.num_items}
        />
      )}
      {found.job?.error && <Text size="sm">{t('cure.failed', { reason: failureText(found.job.error).message })}</Text>}
      {found.job && found.job.ended_at === null ? (
        <CureProgress job={found.job.id} label={t('cure.working')} onEnded={onEnded} />
      ) : (
        found.cures.map((cure, place) => <CureRow key={cure.name} study={study} cure={cure} isFirst={place === 0} trial={trial} />)
      )}
    </>
  )
}

const PAGES = { usage: () => '/settings?tab=usage', columns: (project: string) => `/projects/${project}/columns` }

/** A button and what it will change; a link where a person has to do it. */
function CureRow({ study, cure, isFirst, trial }: { study: Study; cure: Cure; isFirst: boolean; trial?: string }) {
  const { t } = useTranslation('studies')
  const text = useLocalText()
  const navigate = useNavigate()
  const isEngineer = useHasRole('engineer')
  const isOwner = useHasRole('owner')
  const apply = useCureStudy(study.id, trial)
  const page = cure.page === 'usage' || cure.page === 'columns' ? cure.page : null
  if (!isEngineer || (page === 'usage' && !isOwner)) return null
  const variant = isFirst ? 'filled' : 'default'
  return (
    <Group gap="sm" align="center" className={classes.cure}>
      {page ? (
        <Button component={Link} to={PAGES[page](study.project)} variant={variant}>
          {text(cure.title)}
        </Button>
      ) : (
        <Button
          variant={variant}
          loading={apply.isPending}
          onClick={() =>
            afterMutation(apply.mutateAsync(cure.name), (cured) => {
              if (!('job' in cured)) void navigate(`/projects/${cured.project}/studies/${cured.id}`)
            })
          }
        >
          {text(cure.title)}
        </Button>
      )}
      <div className={classes.changes} role="group" aria-label={t('cure.changes')}>
        {cure.changes.map((change) => (
          <Text key={change.en} size="sm">
            {text(change)}
          </Text>
        ))}
      </div>
    </Group>
  )
}
