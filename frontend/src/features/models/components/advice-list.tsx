import { Button, Group, SegmentedControl, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconTags } from '@tabler/icons-react'
import { useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'

import { useHasRole } from '../../../lib/session/session'
import { ErrorState } from '../../../ui/error-state'
import { useItemsTakenFor } from '../api/advice'
import type { Advice, SubjectAdvice } from '../api/types'
import { unitOf, wordsOf } from '../model/advice'
import { AdviceCurve } from './advice-curve'
import classes from './advice-list.module.css'

interface AdviceListProps {
  advice: Advice
  project: string
  /** Name of the study's metric, as people read it. */
  metric: string
}

/** What more items of all labels and of each bring, the best first, and the curve of the one that is chosen. */
export function AdviceList({ advice, project, metric }: AdviceListProps) {
  const { t } = useTranslation('report')
  const subjects = [advice.overall, ...advice.labels]
  const first = advice.labels.find(({ verdict }) => verdict === 'gain') ?? subjects.find(({ objective }) => objective)
  const [chosen, setChosen] = useState<string | null>(first?.label ?? null)
  const shown = subjects.find(({ label }) => label === chosen) ?? advice.overall
  return (
    <Stack gap="sm">
      <div className={classes.both}>
        <ul className={classes.list} aria-label={t('advice.title')}>
          {subjects.map((subject) => (
            <li key={subject.label === null ? 'all' : `label ${subject.label}`}>
              <UnstyledButton className={classes.row} aria-pressed={subject === shown} onClick={() => setChosen(subject.label)}>
                <span className={classes.mark} data-verdict={subject.verdict} aria-hidden />
                <Sentence subject={subject} metric={metric} least={advice.least_items} />
              </UnstyledButton>
            </li>
          ))}
        </ul>
        <Chosen key={shown.label ?? ''} subject={shown} project={project} metric={metric} least={advice.least_items} />
      </div>
      <Text size="xs" c="dimmed">
        {t('advice.legend', { draws: advice.num_draws, level: Math.round(100 * advice.level) })}
        {advice.num_used < advice.num_items && ` ${t('advice.sampled', { count: advice.num_used, total: advice.num_items })}`}
        {advice.num_left_out > 0 && ` ${t('advice.left_out', { count: advice.num_left_out })}`}
      </Text>
    </Stack>
  )
}

interface SentenceProps {
  subject: SubjectAdvice
  metric: string
  least: number
}

function Sentence({ subject, metric, least }: SentenceProps) {
  const { t } = useTranslation('report')
  const { label, own, objective, verdict, num_items: numItems } = subject
  const words = wordsOf(subject)
  const of = label === null ? 'all' : 'label'
  const curve = own ?? objective
  const unit = curve ? t(`advice.unit.${unitOf(curve)}`) : ''
  const values = { label: label ?? '', metric, unit, least, count: words?.more ?? numItems, ...words }
  return (
    <span>
      <Trans t={t} i18nKey={`advice.${of}.${verdict}`} values={values} components={{ b: <span className={classes.label} /> }} />
      <span className={classes.detail}>
        {t('advice.have', { count: numItems })}
        {own && objective && verdict === 'gain' && (
          <>
            {' · '}
            {t('advice.of_metric', { metric, gain: words?.objective, unit: t(`advice.unit.${unitOf(objective)}`) })}
          </>
        )}
      </span>
    </span>
  )
}

function Chosen({ subject, project, metric, least }: SentenceProps & { project: string }) {
  const { t } = useTranslation('report')
  const { own, objective, label, num_items: numItems } = subject
  const [which, setWhich] = useState<'own' | 'objective'>(own ? 'own' : 'objective')
  const curve = which === 'own' ? own : objective
  const name = label ?? t('advice.everything')
  if (!curve || !objective) {
    return (
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{t('advice.no_curve', { name, count: numItems, least })}</Text>
        {label !== null && <LabelThese project={project} label={label} />}
      </Stack>
    )
  }
  const measured = which === 'own' ? t('advice.own_f1') : metric
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        {own ? (
          <SegmentedControl
            size="xs"
            aria-label={t('advice.measure')}
            value={which}
            onChange={(value) => setWhich(value as 'own' | 'objective')}
            data={[
              { value: 'own', label: t('advice.own_f1') },
              { value: 'objective', label: metric },
            ]}
          />
        ) : (
          <Text size="xs" c="dimmed">
            {metric}
          </Text>
        )}
      </Group>
      <AdviceCurve curve={curve} numItems={numItems} name={`${name}: ${measured}`} />
      {label !== null && <LabelThese project={project} label={label} />}
    </Stack>
  )
}

/** To labelling, with the unlabelled items that are taken for the label; to all that are unlabelled where none is. */
function LabelThese({ project, label }: { project: string; label: string }) {
  const { t } = useTranslation('report')
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const taken = useItemsTakenFor(project)
  const canLabel = useHasRole('labeller')
  if (!canLabel) return null
  const back = { to: `${pathname}${search}`, name: t('advice.back') }
  const open = (ids: readonly string[]) =>
    ids[0]
      ? void navigate(`/projects/${project}/labelling?item=${ids[0]}`, { state: { ids, back } })
      : void navigate(`/projects/${project}/data?state=unlabelled`)
  return (
    <Stack gap="xs" align="flex-start" data-no-print>
      <Button
        size="compact-sm"
        variant="light"
        leftSection={<IconTags size={14} />}
        loading={taken.isPending}
        onClick={() => taken.mutate(label, { onSuccess: open })}
      >
        {t('advice.label_these', { label })}
      </Button>
      {taken.error && <ErrorState error={taken.error} />}
    </Stack>
  )
}
