import { Radio, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import type { Project } from '../../../lib/api/types'
import { useChangeProject } from '../../../lib/project/change-project'
import { useTask } from '../../../lib/project/task'
import { Section } from '../../../ui/section'

interface OverlapRulesProps {
  project: Project
  rule: NonNullable<Project['overlap']>
  canChange: boolean
}

/** What happens in the project where areas meet, for everybody who labels. */
export function OverlapRules({ project, rule, canChange }: OverlapRulesProps) {
  const { t } = useTranslation('labels')
  const change = useChangeProject(project.id)
  const rules = useTask().data?.annotation.overlap_rules ?? []
  const chosen = change.isPending ? (change.variables.overlap ?? rule) : rule
  return (
    <Section title={t('overlap.title')} help={t('overlap.help')}>
      <Radio.Group aria-label={t('overlap.title')} value={chosen} onChange={(value) => change.mutate({ overlap: value as typeof rule })}>
        <Stack gap="xs">
          {rules.map((each) => (
            <Radio
              key={each}
              value={each}
              disabled={!canChange}
              label={t(`canvas:options.rules.${each}`)}
              description={t(`canvas:options.rules_about.${each}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
    </Section>
  )
}
