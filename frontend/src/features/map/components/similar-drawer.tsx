import { Anchor, Button, Drawer, Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatPercent } from '../../../lib/format'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { PictureThumb } from '../../../ui/picture-thumb'
import { useItem, useSimilar } from '../api/get-similar'
import classes from './map.module.css'

interface SimilarDrawerProps {
  /** The picture that others are compared with; null closes. */
  item: string | null
  picked: ReadonlySet<string>
  onPick: (items: readonly string[], isOn: boolean) => void
  onSimilar: (item: string) => void
  onClose: () => void
}

/** Pictures that look like one, the nearest first. A press selects, so that they can be labelled together. */
export function SimilarDrawer({ item, picked, onPick, onSimilar, onClose }: SimilarDrawerProps) {
  const { t } = useTranslation('map')
  const query = useItem(item)
  const similar = useSimilar(item)
  const found = similar.data ?? []
  const asked = query.data
  return (
    <Drawer opened={item !== null} onClose={onClose} position="right" size="lg" title={t('similar.title')}>
      <Stack gap="md">
        {asked && (
          <Group wrap="nowrap" align="flex-start">
            <PictureThumb src={asked.thumbnail_url} alt={asked.name} size={128} />
            <Stack gap={4} miw={0}>
              <Text fw={600} truncate>
                {asked.name}
              </Text>
              <Text size="sm" c="dimmed">
                {t('similar.lead')}
              </Text>
              <Anchor size="sm" href={asked.picture_url} target="_blank" rel="noreferrer">
                {t('similar.full')}
              </Anchor>
            </Stack>
          </Group>
        )}
        {similar.isPending && item !== null && <LoadingState />}
        {similar.isError && <ErrorState error={similar.error} onRetry={() => void similar.refetch()} />}
        {similar.isSuccess && found.length === 0 && <Text c="dimmed">{t('similar.none')}</Text>}
        {found.length > 0 && (
          <Group justify="flex-end">
            <Button
              size="compact-sm"
              variant="default"
              onClick={() =>
                onPick(
                  found.map((one) => one.item.id),
                  true,
                )
              }
            >
              {t('similar.select_all')}
            </Button>
          </Group>
        )}
        <div className={classes.similar}>
          {found.map(({ item: one, similarity }) => (
            <Stack key={one.id} gap={2}>
              <UnstyledButton
                className={classes.pick}
                aria-pressed={picked.has(one.id)}
                aria-label={t('similar.pick', { name: one.name })}
                onClick={() => onPick([one.id], !picked.has(one.id))}
              >
                <PictureThumb src={one.thumbnail_url} alt={one.name} />
              </UnstyledButton>
              <Group justify="space-between" gap={4} wrap="nowrap">
                <Text size="xs" c="dimmed">
                  {formatPercent(similarity)}
                </Text>
                <Button
                  size="compact-xs"
                  variant="subtle"
                  px={4}
                  onClick={() => onSimilar(one.id)}
                  aria-label={t('similar.from', { name: one.name })}
                >
                  {t('similar.more')}
                </Button>
              </Group>
            </Stack>
          ))}
        </div>
      </Stack>
    </Drawer>
  )
}
