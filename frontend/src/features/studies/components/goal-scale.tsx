import { Group, List, Radio, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'

import { useAnswerKind } from '../../../answers'
import { formatEstimate } from '../../../charts/format/format'
import { useLocalText } from '../../../lib/local-text'
import { useProjectId } from '../../../lib/project/project'
import { useTask } from '../../../lib/project/task'
import { useStudyTimes } from '../api/plan-study'
import type { Family, Goal, GoalSpec } from '../api/types'
import { filledBy, sizesOf } from '../model/goals'
import { toPlanRequest } from '../model/study-form'
import classes from './goal-scale.module.css'
import type { StudyFormState } from './use-study-form'

interface GoalScaleProps {
  form: StudyFormState
  families: readonly Family[]
  /** In order, the fastest first. */
  goals: readonly GoalSpec[]
}

/** Families and trials by hand. */
const OWN = 'own'

/** One choice on a scale from the fastest answers to the most accurate ones, and what it means here. */
export function GoalScale({ form, families, goals }: GoalScaleProps) {
  const { t } = useTranslation('studies')
  const project = useProjectId()
  const { goal } = form.values
  const chosen = goals.find(({ name }) => name === goal)
  const [values] = useDebouncedValue(form.values, 300)
  const before = goals.find(({ name }) => name === values.goal)
  const times = useStudyTimes(goals.map((each) => toPlanRequest(project, { ...values, goal: each.name, ...filledBy(each, before) })))
  return (
    <Stack gap="xs">
      <Radio.Group
        label={<VisuallyHidden>{t('form.goal')}</VisuallyHidden>}
        labelProps={{ className: classes.name }}
        value={goal ?? OWN}
        onChange={(name) => form.chooseGoal(name === OWN ? null : (name as Goal))}
      >
        <Group justify="space-between" className={classes.ends} aria-hidden>
          <Text size="xs" c="dimmed">
            {t('goal.sooner')}
          </Text>
          <Text size="xs" c="dimmed">
            {t('goal.better')}
          </Text>
        </Group>
        <div className={classes.scale}>
          {goals.map(({ name, max_trials }, place) => (
            <Radio.Card key={name} value={name} className={classes.step}>
              <span className={classes.dot}>
                <Radio.Indicator size="sm" />
              </span>
              <span className={classes.words}>
                <Text span size="sm" fw={600}>
                  {t(`goal.${name}`)}
                </Text>
                <Text span size="xs" c="dimmed">
                  {t(`goal.${name}_help`)}
                </Text>
                <Text span size="xs" c="dimmed">
                  {t('goal.trials', { count: max_trials })}
                </Text>
                <Text span size="xs" c="dimmed" className={classes.time}>
                  {times[place] != null && t('goal.time', { time: formatEstimate(times[place]).replaceAll(' ', '\u00a0') })}
                </Text>
              </span>
            </Radio.Card>
          ))}
        </div>
        <Radio.Card value={OWN} className={classes.own} mt="xs">
          <Radio.Indicator size="xs" />
          <Text span size="sm">
            {t('goal.own')}
          </Text>
          <Text span size="xs" c="dimmed">
            {t('goal.own_help')}
          </Text>
        </Radio.Card>
      </Radio.Group>
      {chosen && <Meaning goal={chosen} families={families} />}
    </Stack>
  )
}

/** What the choice means for this task. */
function Meaning({ goal, families }: { goal: GoalSpec; families: readonly Family[] }) {
  const { t } = useTranslation('studies')
  const text = useLocalText()
  const task = useTask()
  const canAverage = useAnswerKind().isAveraged && (task.data?.can_refit ?? false)
  const tried = families.filter(({ name }) => goal.families.includes(name))
  const titleOf = (param: string) => {
    const found = tried.flatMap(({ params }) => params).find(({ name }) => name === param)
    return found ? text(found.title) : param
  }
  return (
    <List size="xs" c="dimmed" spacing={2} aria-label={t('goal.meaning')}>
      {tried
        .filter(({ name }) => goal.ranges?.[name]?.size)
        .map((family) => (
          <List.Item key={family.name}>
            {t('goal.sizes', {
              family: text(family.title),
              sizes: sizesOf(goal, family)
                .map((size) => text(size.title))
                .join(', '),
            })}
          </List.Item>
        ))}
      {Object.entries(goal.at_most ?? {}).map(([name, most]) => (
        <List.Item key={name}>{t('check.limit', { title: titleOf(name), value: most })}</List.Item>
      ))}
      {goal.prefers_fast && <List.Item>{t('goal.prefers_fast')}</List.Item>}
      {canAverage && (
        <List.Item>{goal.max_answer_ratio > 1 ? t('goal.mean', { times: goal.max_answer_ratio }) : t('goal.alone')}</List.Item>
      )}
    </List>
  )
}
