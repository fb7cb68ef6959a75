import { Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { type Evidence, isEmpty } from '../lib/evidence'
import classes from './evidence-legend.module.css'

/** What the tints of a text, or the shade over a picture, mean. */
export function EvidenceLegend({ evidence }: { evidence: Evidence }) {
  const { t } = useTranslation('common')
  const { label, grid } = evidence
  if (isEmpty(evidence)) {
    return (
      <Text size="xs" c="dimmed" mt="xs">
        {t('evidence.nothing')}
      </Text>
    )
  }
  return (
    <Group gap={0} className={classes.legend} mt={4}>
      <Text size="xs" c="dimmed">
        <mark className={classes.sample} data-clear={grid !== null || undefined}>
          &nbsp;
        </mark>{' '}
        {t('evidence.for', { label })}
      </Text>
      <Text size="xs" c="dimmed">
        <mark className={classes.sample} data-against={grid ? 'picture' : 'text'}>
          &nbsp;
        </mark>{' '}
        {t('evidence.against', { label })}
      </Text>
      {grid?.area && (
        <Text size="xs" c="dimmed" w="100%">
          {t('evidence.around')}
        </Text>
      )}
    </Group>
  )
}
