import { Button, Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatPercent } from '../../../lib/format'
import { ItemThumb } from '../../../items/item-thumb'
import type { SimilarItem } from '../api/get-similar'
import classes from './map.module.css'

export interface SimilarGridProps {
  items: readonly SimilarItem[]
  picked: ReadonlySet<string>
  /** Absent while there is no map to select on. */
  onPick?: (items: readonly string[], isOn: boolean) => void
  onSimilar?: (item: string) => void
}

/** Pictures that were found, the nearest first. A press selects, so that they can be labelled together. */
export function SimilarGrid({ items, picked, onPick, onSimilar }: SimilarGridProps) {
  const { t } = useTranslation('map')
  return (
    <>
      {onPick && (
        <Group justify="flex-end">
          <Button
            size="compact-sm"
            variant="default"
            onClick={() =>
              onPick(
                items.map(({ item }) => item.id),
                true,
              )
            }
          >
            {t('similar.select_all')}
          </Button>
        </Group>
      )}
      <div className={classes.similar}>
        {items.map(({ item, similarity }) => (
          <Stack key={item.id} gap={2}>
            <UnstyledButton
              className={classes.pick}
              aria-pressed={picked.has(item.id)}
              aria-label={t('similar.pick', { name: item.name })}
              disabled={!onPick}
              onClick={() => onPick?.([item.id], !picked.has(item.id))}
            >
              <ItemThumb item={item} alt={item.name} />
            </UnstyledButton>
            <Group justify="space-between" gap={4} wrap="nowrap">
              <Text size="xs" c="dimmed">
                {formatPercent(similarity)}
              </Text>
              {onSimilar && (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  px={4}
                  onClick={() => onSimilar(item.id)}
                  aria-label={t('similar.from', { name: item.name })}
                >
                  {t('similar.more')}
                </Button>
              )}
            </Group>
          </Stack>
        ))}
      </div>
    </>
  )
}
