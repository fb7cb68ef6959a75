import { Button, Group, Paper, Text, ThemeIcon } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { useItemKind } from '../../../items'
import type { GuideStep } from '../../../lib/api/types'
import classes from './overview.module.css'

/** Where each step is taken. */
const PLACES: Record<Exclude<GuideStep['key'], 'label'>, string> = {
  upload: 'data',
  version: 'versions',
  train: 'studies',
  report: 'models',
  deploy: 'deployments',
  call: 'deployments',
}

/** The steps in their order; the first that is not done has the one filled button. Folded once all are done. */
export function Guide({ project, steps }: { project: string; steps: GuideStep[] }) {
  const { t } = useTranslation('overview')
  const { labelsFrom } = useItemKind()
  const next = steps.find((step) => !step.done)
  const [isOpen, setOpen] = useState(false)
  if (!next && !isOpen) {
    return (
      <Group gap="xs">
        <ThemeIcon size={20} radius="xl" color="teal">
          <IconCheck size={13} />
        </ThemeIcon>
        <Text size="sm">{t('all_done')}</Text>
        <Button variant="subtle" onClick={() => setOpen(true)}>
          {t('show_guide')}
        </Button>
      </Group>
    )
  }
  return (
    <Paper p={0} component="section" aria-label={t('guide')}>
      <ol className={classes.steps}>
        {steps.map((step, index) => (
          <li key={step.key} className={classes.step} data-next={step === next || undefined}>
            <ThemeIcon size={26} radius="xl" variant={step.done ? 'filled' : 'default'} color={step.done ? 'teal' : 'gray'}>
              {step.done ? <IconCheck size={15} aria-label={t('done')} /> : <Text size="xs">{index + 1}</Text>}
            </ThemeIcon>
            <div className={classes.words}>
              <Text size="sm" fw={600}>
                {t(`step.${step.key}.title`)}
              </Text>
              <Text size="xs" c="dimmed">
                {step.done ? t(`step.${step.key}.done`, { count: step.count }) : t(`step.${step.key}.text`)}
              </Text>
            </div>
            <Group ml="auto">
              <Button
                component={Link}
                to={`/projects/${project}/${step.key === 'label' ? labelsFrom : PLACES[step.key]}`}
                variant={step === next ? 'filled' : 'subtle'}
              >
                {t(`step.${step.key}.action`)}
              </Button>
            </Group>
          </li>
        ))}
      </ol>
    </Paper>
  )
}
