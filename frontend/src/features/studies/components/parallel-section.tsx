import { Select } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ParallelLines } from '../../../charts/parallel-lines/parallel-lines'
import type { TrialPoint } from '../../../charts/trial-scatter/scatter'
import { useLocalText } from '../../../lib/local-text'
import { useTask } from '../../../lib/project/task'
import { Section } from '../../../ui/section'
import { useSetting } from '../../../ui/use-setting'
import type { Study, Trial } from '../api/types'
import { inWords, toPoint } from '../model/trial-rows'

interface ParallelSectionProps {
  study: Study
  trials: readonly Trial[]
  onOpen: (trial: string) => void
  nameOf: (param: string) => string
}

/** The settings of all trials side by side, of one family or of all. */
export function ParallelSection({ study, trials, onOpen, nameOf }: ParallelSectionProps) {
  const { t } = useTranslation('studies')
  const text = useLocalText()
  const setting = useSetting()
  const known = useTask().data?.families ?? []
  const [chosen, setChosen] = useState<string | null>(null)
  const candidates = trials.filter((trial) => !trial.members)
  const families = [...new Set(candidates.map((trial) => trial.train.family))]
  const family = families.length === 1 ? families[0] : chosen
  const titleOf = (name: string) => {
    const found = known.find((each) => each.name === name)
    return found ? text(found.title) : name
  }
  const sizeOf = (size: string) => {
    const found = known.find((each) => each.name === family)?.sizes.find((each) => each.name === size)
    return found ? text(found.title) : size
  }
  const points = candidates
    .filter((trial) => !family || trial.train.family === family)
    .map((trial) => {
      const point = toPoint(trial, study.objective.name)
      const params: TrialPoint['params'] = family
        ? { ...point.params, size: sizeOf(trial.train.size) }
        : { family: titleOf(trial.train.family) }
      return { ...point, params }
    })
  return (
    <Section title={t('detail.parallel')} help={t('detail.parallel_help')}>
      {families.length > 1 && (
        <Select
          size="xs"
          w={240}
          mb={6}
          clearable
          aria-label={t('form.family')}
          placeholder={t('form.families')}
          value={chosen}
          data={families.map((name) => ({ value: name, label: titleOf(name) }))}
          onChange={setChosen}
        />
      )}
      <ParallelLines
        trials={inWords(points, (name, value) => setting(family ?? '', name, value)[1])}
        metric={study.objective.name}
        metricTitle={text(study.objective.title)}
        isHigherBetter={study.objective.is_higher_better}
        onSelect={onOpen}
        nameOf={nameOf}
      />
    </Section>
  )
}
