import { Anchor, Code, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { useProjectId } from '../../lib/project/project'
import { CopyButton } from '../../ui/copy-button'
import type { PredictionProps } from '../kind'

const SHOWN = 8

/** The first numbers of the vector, and where it is of use. */
export function Prediction({ annotations }: PredictionProps) {
  const { t } = useTranslation('report')
  const project = useProjectId()
  const values = annotations[0]?.values
  if (!values) return null
  return (
    <Stack gap="xs">
      <Group gap="xs" justify="space-between">
        <Text size="sm" fw={600}>
          {t('vector.title', { count: values.length })}
        </Text>
        <CopyButton value={JSON.stringify(values)} />
      </Group>
      <Code block>{`[${values.slice(0, SHOWN).join(', ')}, …]`}</Code>
      <Text size="sm" c="dimmed">
        {t('vector.use')}{' '}
        <Anchor component={Link} to={`/projects/${project}/galleries`} size="sm">
          {t('vector.to_galleries')}
        </Anchor>
      </Text>
    </Stack>
  )
}
