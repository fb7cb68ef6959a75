import { Button, Group, Text } from '@mantine/core'
import { IconAlertCircle, IconArrowRight, IconMessage, IconRefresh, IconScale, IconTag } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { useItemKind } from '../../../items'
import type { Waiting as Waits } from '../../../lib/api/types'
import { Section } from '../../../ui/section'
import classes from './overview.module.css'

const ICONS: Record<Waits['key'], ComponentType<{ size?: number }>> = {
  labels_changed: IconRefresh,
  disputes: IconScale,
  comments: IconMessage,
  wrong_labels: IconAlertCircle,
  unlabelled: IconTag,
}

/** What waits for a person, each a link to where it is done. */
export function Waiting({ project, waiting }: { project: string; waiting: readonly Waits[] }) {
  const { t } = useTranslation('overview')
  const { labelsFrom } = useItemKind()
  if (waiting.length === 0) return null
  const places: Record<Waits['key'], string> = {
    labels_changed: 'versions',
    disputes: 'team?tab=open',
    comments: 'team?tab=open',
    wrong_labels: 'quality?show=wrong_label',
    unlabelled: labelsFrom === 'labelling' ? 'labelling' : 'data?state=unlabelled',
  }
  return (
    <Section title={t('waiting.title')}>
      <ul className={classes.steps}>
        {waiting.map(({ key, count, number }) => {
          const Icon = ICONS[key]
          return (
            <li key={key} className={classes.waiting}>
              <Group gap="xs" wrap="nowrap" miw={0}>
                <Icon size={16} />
                <Text size="sm">{t(`waiting.${key}.text`, { count, number })}</Text>
              </Group>
              <Button
                component={Link}
                to={`/projects/${project}/${places[key]}`}
                variant="subtle"
                size="compact-xs"
                rightSection={<IconArrowRight size={14} />}
                flex="none"
              >
                {t(`waiting.${key}.action`)}
              </Button>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
