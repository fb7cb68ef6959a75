import { ActionIcon, Group, Text, Tooltip } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '../../../ui/error-state'
import { LoadMore } from '../../../ui/load-more'
import { LoadingState } from '../../../ui/loading-state'
import { Section } from '../../../ui/section'
import { type Gallery, useDeleteEntry, useEntries } from '../api/galleries'
import classes from './galleries.module.css'

interface EntriesProps {
  gallery: Gallery
  canChange: boolean
}

/** The pictures of a gallery with their names, newest first. */
export function Entries({ gallery, canChange }: EntriesProps) {
  const { t } = useTranslation('galleries')
  const entries = useEntries(gallery.id)
  const remove = useDeleteEntry(gallery.id)
  if (entries.isPending) return <LoadingState rows={2} height={140} />
  if (entries.isLoadingError) return <ErrorState error={entries.error} onRetry={() => void entries.refetch()} />
  const all = entries.data.pages.flatMap((page) => page.items)
  return (
    <Section title={t('entries.title')}>
      {all.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('entries.empty')}
        </Text>
      )}
      <ul className={classes.grid}>
        {all.map(({ id, name, thumbnail_url }) => (
          <li key={id} className={classes.entry}>
            <img src={thumbnail_url} alt="" loading="lazy" />
            <Group gap={4} wrap="nowrap" justify="space-between">
              <Text size="xs" truncate title={name}>
                {name}
              </Text>
              {canChange && (
                <Tooltip label={t('entries.remove', { name })}>
                  <ActionIcon
                    size="sm"
                    variant="subtle"
                    color="gray"
                    aria-label={t('entries.remove', { name })}
                    loading={remove.isPending && remove.variables === id}
                    onClick={() => remove.mutate(id)}
                  >
                    <IconTrash size={14} />
                  </ActionIcon>
                </Tooltip>
              )}
            </Group>
          </li>
        ))}
      </ul>
      <LoadMore query={entries} />
    </Section>
  )
}
