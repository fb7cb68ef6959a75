import { Button, Group, Text } from '@mantine/core'
import { IconFlask, IconPlus, IconTags, IconTarget } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { useItemKind } from '../../../items'
import { useSummary } from '../../../lib/dataset/summary'
import { useProject } from '../../../lib/project/project'
import { useHasRole } from '../../../lib/session/session'

/** What can be done with data that have just come: label what has no label, train, add more. The likeliest has the filled button. */
export function NextSteps({ onMore }: { onMore: () => void }) {
  const { t } = useTranslation('data')
  const project = useProject().data
  const summary = useSummary(project?.dataset ?? '').data
  const { labelsFrom } = useItemKind()
  const [isLabeller, isEngineer] = [useHasRole('labeller'), useHasRole('engineer')]
  if (!project || !summary) return null
  const canLabel = isLabeller && labelsFrom === 'labelling' && summary.unlabelled > 0
  const canTrain = isEngineer && summary.annotated > 0
  const asksTarget = isEngineer && labelsFrom === 'columns' && summary.annotated === 0
  const training = project.counts.versions > 0 ? 'studies/new' : 'versions?new'
  return (
    <Group gap="xs">
      <Text size="sm" fw={600}>
        {t('next.title')}
      </Text>
      {canLabel && (
        <Button component={Link} to={`/projects/${project.id}/labelling`} leftSection={<IconTags size={16} />}>
          {t('next.label', { count: summary.unlabelled })}
        </Button>
      )}
      {asksTarget && (
        <Button component={Link} to={`/projects/${project.id}/columns`} leftSection={<IconTarget size={16} />}>
          {t('grid.to_columns')}
        </Button>
      )}
      {canTrain && (
        <Button
          component={Link}
          to={`/projects/${project.id}/${training}`}
          variant={canLabel ? 'default' : 'filled'}
          leftSection={<IconFlask size={16} />}
        >
          {t('next.train')}
        </Button>
      )}
      <Button variant="default" leftSection={<IconPlus size={16} />} onClick={onMore}>
        {t('next.more')}
      </Button>
    </Group>
  )
}
