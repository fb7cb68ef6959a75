import { Button, Grid, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router'

import { useProjectId } from '../../../lib/project/project'
import { useTask } from '../../../lib/project/task'
import { useHasRole } from '../../../lib/session/session'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { LoadingPage } from '../../../ui/loading-page'
import { PageHeader } from '../../../ui/page-header'
import { useStartStudy } from '../api/change-study'
import { useStartPreflight } from '../api/preflight'
import { useVersionChoices } from '../../../lib/project/choices'
import { AdvancedFields } from '../components/advanced-fields'
import { CheckPanel } from '../components/check-panel'
import { GoalFields } from '../components/goal-fields'
import { PlanPanel } from '../components/plan-panel'
import { SetByCheck } from '../components/set-by-check'
import { ShippingFields } from '../components/shipping-fields'
import { useStudyForm } from '../components/use-study-form'
import { curedForm } from '../model/preflight'
import { hasRangeProblem } from '../model/ranges'
import { formProblems, toPlanRequest, toStudyRequest } from '../model/study-form'

/** Starts a study; what it will do stands beside the form before the button is pressed. */
export function Component() {
  const { t } = useTranslation('studies')
  const project = useProjectId()
  const versions = useVersionChoices(project)
  const task = useTask()
  const canStart = useHasRole('engineer')
  if (!canStart) return <Navigate to={`/projects/${project}/studies`} replace />
  if (versions.isPending || task.isPending) return <LoadingPage title={t('form.title')} />
  if (versions.isLoadingError) return <ErrorState error={versions.error} onRetry={() => void versions.refetch()} />
  if (task.isLoadingError) return <ErrorState error={task.error} onRetry={() => void task.refetch()} />
  if (!versions.data.items.length || !task.data) {
    return (
      <>
        <PageHeader title={t('form.title')} />
        <EmptyState
          drawing="versions"
          title={t('no_version_title')}
          action={
            <Button component={Link} to={`/projects/${project}/versions`}>
              {t('to_versions')}
            </Button>
          }
        >
          {t('no_version_text')}
        </EmptyState>
      </>
    )
  }
  return <NewStudyForm project={project} versions={versions.data.items} families={task.data.families} goals={task.data.goals} />
}

interface NewStudyFormProps {
  project: string
  versions: Parameters<typeof GoalFields>[0]['versions']
  families: Parameters<typeof GoalFields>[0]['families']
  goals: Parameters<typeof GoalFields>[0]['goals']
}

function NewStudyForm({ project, versions, families, goals }: NewStudyFormProps) {
  const { t } = useTranslation('studies')
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const version = versions.find((version) => version.id === search.get('version')) ?? versions[0]
  const form = useStudyForm(version?.id ?? '', families, goals)
  const start = useStartStudy()
  const check = useStartPreflight()
  const checked = check.data
  const request = toPlanRequest(project, form.values)
  const isComplete = Object.keys(formProblems(form.values)).length === 0 && !hasRangeProblem(form.values.ranges, families)
  const submit = () => {
    start.mutate(toStudyRequest(project, form.values), {
      onSuccess: (study) => void navigate(`/projects/${project}/studies/${study.id}`),
    })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isComplete) submit()
      }}
    >
      <PageHeader title={t('form.title')} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack>
            <GoalFields form={form} versions={versions} families={families} goals={goals} />
            <ShippingFields form={form} />
            <AdvancedFields form={form} families={families} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack>
            <PlanPanel
              request={request}
              isComplete={isComplete}
              isStarting={start.isPending}
              startError={start.error}
              isChecking={check.isPending}
              checkError={check.error}
              onCheck={() => check.mutate(request)}
            />
            <SetByCheck form={form} families={families} />
            {checked && (
              <CheckPanel
                key={checked.id}
                project={project}
                preflight={checked.id}
                isOutdated={JSON.stringify(check.variables) !== JSON.stringify(request)}
                onCured={(settings) => form.change(curedForm(settings, form.values))}
              />
            )}
          </Stack>
        </Grid.Col>
      </Grid>
    </form>
  )
}
