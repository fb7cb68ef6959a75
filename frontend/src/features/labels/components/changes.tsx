import { Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { RelativeTime } from '../../../ui/relative-time'
import { Section } from '../../../ui/section'
import { StateBadge } from '../../../ui/state-badge'
import { type LabelChange, useChanges, useUndoChange } from '../api/label-changes'
import classes from './label-row.module.css'

/** What was done to the labels, each with its undo. */
export function Changes({ project, canUndo }: { project: string; canUndo: boolean }) {
  const { t } = useTranslation('labels')
  const changes = useChanges(project)
  const undo = useUndoChange(project)
  if (!changes.data?.length) return null
  return (
    <Section title={t('changes.title')} help={t('changes.help')}>
      {changes.data.map((change) => (
        <Group key={change.id} className={classes.row} wrap="nowrap" gap="sm">
          <div style={{ flex: 1, minWidth: 0 }}>
            <Text size="sm" truncate>
              <Words change={change} />
            </Text>
            <Text size="xs" c="dimmed">
              {t('changes.items', { count: change.num_items })} · {change.by_name} · <RelativeTime value={change.created_at} />
              {change.num_kept > 0 && ` · ${t('changes.kept', { count: change.num_kept })}`}
            </Text>
          </div>
          {change.state !== 'done' && <StateBadge state={change.state} isMoving={change.state !== 'undone'} />}
          {canUndo && change.state === 'done' && (
            <Button
              variant="default"
              size="xs"
              loading={undo.isPending && undo.variables === change.id}
              onClick={() => undo.mutate(change.id)}
            >
              {t('common:undo')}
            </Button>
          )}
        </Group>
      ))}
    </Section>
  )
}

function Words({ change }: { change: LabelChange }) {
  const { t } = useTranslation('labels')
  const { plan } = change
  if (plan.kind === 'rename') return t('changes.rename', { from: plan.source, to: plan.target })
  if (plan.kind === 'merge') return t('changes.merge', { from: plan.sources.join(', '), to: plan.target })
  return t('changes.split', { from: plan.source, to: [...new Set(plan.parts.map((part) => part.label))].join(', ') })
}
