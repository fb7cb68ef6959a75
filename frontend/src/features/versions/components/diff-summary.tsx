import { Paper, SimpleGrid, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useItemKind } from '../../../items'
import { BarList } from '../../../charts/bar-list/bar-list'
import { formatNumber } from '../../../lib/format'
import { useLabelName } from '../../../lib/labels/use-label-name'
import { Section } from '../../../ui/section'
import type { Diff } from '../api/types'

/** How much differs: items by what happened to them, annotations by label, labels that took another's place. */
export function DiffSummary({ diff }: { diff: Diff }) {
  const { t } = useTranslation('versions')
  const { wall } = useItemKind()
  const labelName = useLabelName()
  const tiles = [
    { name: t('diff.tiles.added'), count: diff.num_added, color: 'teal' },
    { name: t('diff.tiles.removed'), count: diff.num_removed, color: 'red' },
    { name: t('diff.tiles.relabelled'), count: diff.num_annotations_changed, color: 'accent' },
    { name: t('diff.tiles.moved'), count: diff.num_split_changed, color: 'orange' },
    // Cells may be changed in place.
    ...(wall.form === 'sheet' ? [{ name: t('diff.tiles.cells'), count: diff.num_rows_changed, color: 'yellow' }] : []),
  ]
  return (
    <Stack>
      <SimpleGrid cols={{ base: 2, sm: tiles.length }}>
        {tiles.map((tile) => (
          <Paper key={tile.name} withBorder p="sm">
            <Text size="xl" fw={600} c={tile.count ? tile.color : 'dimmed'} style={{ fontVariantNumeric: 'tabular-nums' }}>
              {formatNumber(tile.count)}
            </Text>
            <Text size="xs" c="dimmed">
              {tile.name}
            </Text>
          </Paper>
        ))}
      </SimpleGrid>
      {diff.labels.length > 0 && (
        <SimpleGrid cols={{ base: 1, md: diff.moves.length ? 2 : 1 }}>
          <Section title={t('diff.by_label')}>
            <BarList
              title={t('label')}
              columns={[
                { key: 'added', title: t('diff.come'), format: (value) => (value ? `+${value}` : '0'), full: null },
                { key: 'removed', title: t('diff.gone'), format: (value) => (value ? `−${value}` : '0'), full: null },
              ]}
              rows={diff.labels.map((one) => ({
                key: one.label,
                title: labelName(one.label),
                values: { added: one.added, removed: one.removed },
              }))}
              initialSort={{ column: 'added', isDescending: true }}
            />
          </Section>
          {diff.moves.length > 0 && (
            <Section title={t('diff.moves')}>
              <BarList
                title={t('diff.move')}
                columns={[{ key: 'count', title: t('column.items'), format: (value) => String(value ?? 0), full: null }]}
                rows={diff.moves.map((one) => ({
                  key: `${one.before} → ${one.after}`,
                  title: `${labelName(one.before)} → ${labelName(one.after)}`,
                  values: { count: one.num_items },
                }))}
                initialSort={{ column: 'count', isDescending: true }}
              />
            </Section>
          )}
        </SimpleGrid>
      )}
    </Stack>
  )
}
