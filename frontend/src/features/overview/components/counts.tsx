import { Paper, SimpleGrid, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import type { Project } from '../../../lib/api/types'
import classes from './overview.module.css'

/** What there is, each number leading to its page. */
export function Counts({ project }: { project: Project }) {
  const { t, i18n } = useTranslation('overview')
  const { items, annotated, versions, studies, artefacts, deployments } = project.counts
  const tiles = [
    { to: 'data', label: t('count.items', { count: items }), value: items },
    { to: 'labelling', label: t('count.annotated'), value: annotated },
    { to: 'versions', label: t('count.versions', { count: versions }), value: versions },
    { to: 'studies', label: t('count.studies', { count: studies }), value: studies },
    { to: 'models', label: t('count.models', { count: artefacts }), value: artefacts },
    { to: 'deployments', label: t('count.deployments', { count: deployments }), value: deployments },
  ]
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
      {tiles.map((tile) => (
        <Paper key={tile.to} component={Link} to={tile.to} p="sm" className={classes.tile}>
          <Text size="xl" fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
            {tile.value.toLocaleString(i18n.language)}
          </Text>
          <Text size="xs" c="dimmed">
            {tile.label}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  )
}
