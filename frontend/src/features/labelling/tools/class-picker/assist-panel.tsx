import { Anchor, Button, Group, Loader, Progress, Select, Stack, Text, Tooltip } from '@mantine/core'
import { IconStack2 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { formatPercent } from '../../../../lib/format'
import { KeyHint } from '../../../../ui/key-hint'
import { type Assist, type Strategy, useAssist, useChooseStrategy } from '../../api/assist'

interface AssistPanelProps {
  project: string
  item: string | undefined
  canLabel: boolean
  batchHint: string | undefined
  onBatch: () => void
}

/** How the model helps here: what it waits for, the order of the queue, how often it was right, and many at once. */
export function AssistPanel({ project, item, canLabel, batchHint, onBatch }: AssistPanelProps) {
  const { t } = useTranslation('labelling')
  const assist = useAssist(project).data
  const choose = useChooseStrategy(project)
  if (!assist) return null
  return (
    <Stack gap={6}>
      <AssistState assist={assist} />
      <Select
        size="xs"
        label={t('assist.order')}
        description={t(`assist.about.${assist.strategy}`)}
        inputWrapperOrder={['label', 'input', 'description']}
        data={assist.strategies.map((value) => ({ value, label: t(`assist.strategy.${value}`) }))}
        value={assist.strategy}
        allowDeselect={false}
        disabled={!canLabel || choose.isPending}
        onChange={(value) => value && choose.mutate(value as Strategy)}
        comboboxProps={{ withinPortal: true }}
      />
      {assist.state === 'ready' && (
        <Group gap="xs" justify="space-between">
          <Tooltip label={t('batch.about')} multiline maw={280}>
            <Button
              size="compact-xs"
              variant="default"
              disabled={!canLabel}
              leftSection={<IconStack2 size={13} />}
              rightSection={batchHint && <KeyHint>{batchHint}</KeyHint>}
              onClick={onBatch}
            >
              {t('batch.open')}
            </Button>
          </Tooltip>
          {item && (
            <Anchor component={Link} to={`/projects/${project}/map?similar=${item}`} size="xs">
              {t('assist.similar')}
            </Anchor>
          )}
        </Group>
      )}
    </Stack>
  )
}

function AssistState({ assist }: { assist: Assist }) {
  const { t } = useTranslation('labelling')
  if (assist.state === 'waiting_for_features')
    return (
      <Group gap={6} wrap="nowrap">
        <Loader size={12} />
        <Text size="xs" c="dimmed">
          {t('assist.features', { done: assist.features_done, total: assist.features_total })}
        </Text>
      </Group>
    )
  if (assist.state === 'waiting_for_labels')
    return (
      <Text size="xs" c="dimmed">
        {t('assist.labels', { labels: assist.min_labels, items: assist.min_items_per_label })}
      </Text>
    )
  const { num, num_accepted } = assist.agreement
  return (
    <Group gap="xs" wrap="nowrap" mih={18}>
      <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {t('assist.agreement')}
      </Text>
      {num === 0 ? (
        <Text size="xs" c="dimmed">
          {t('assist.no_answers')}
        </Text>
      ) : (
        <>
          <Progress flex={1} size="sm" color="teal" value={(100 * num_accepted) / num} aria-label={t('assist.agreement')} />
          <Tooltip label={t('assist.agreement_text', { accepted: num_accepted, count: num })}>
            <Text size="xs">{formatPercent(num_accepted / num)}</Text>
          </Tooltip>
        </>
      )}
    </Group>
  )
}
