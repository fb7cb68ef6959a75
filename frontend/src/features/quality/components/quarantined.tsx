import { Button, Stack, Text } from '@mantine/core'
import { IconArchive } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { afterMutation } from '../../../lib/after-mutation'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { LoadMore } from '../../../ui/load-more'
import { LoadingState } from '../../../ui/loading-state'
import { notifyDone } from '../../../ui/notify'
import { ItemThumb } from '../../../items/item-thumb'
import { Section } from '../../../ui/section'
import { useQuarantined, useRestore } from '../api/quality'
import classes from './quality.module.css'

/** Pictures that were put aside, and the way back. */
export function Quarantined({ dataset, canAct }: { dataset: string; canAct: boolean }) {
  const { t } = useTranslation('quality')
  const items = useQuarantined(dataset)
  const restore = useRestore(dataset)
  const rows = items.data?.pages.flatMap((page) => page.items) ?? []
  const bringBack = (ids: string[]) =>
    afterMutation(restore.mutateAsync(ids), () => notifyDone(t('quarantine.done', { count: ids.length })))
  return (
    <Section
      title={t('quarantine.title')}
      help={t('quarantine.help')}
      actions={
        canAct && rows.length > 0 ? (
          <Button variant="default" loading={restore.isPending} onClick={() => bringBack(rows.map((item) => item.id))}>
            {t('quarantine.all', { count: rows.length })}
          </Button>
        ) : null
      }
    >
      <Stack>
        {items.isPending && <LoadingState rows={2} height={150} />}
        {items.isLoadingError && <ErrorState error={items.error} onRetry={() => void items.refetch()} />}
        {items.data && rows.length === 0 && <EmptyState icon={<IconArchive size={36} stroke={1.2} />} title={t('quarantine.empty')} />}
        <ul className={classes.grid}>
          {rows.map((item) => (
            <li key={item.id} className={classes.card}>
              <ItemThumb item={item} alt={item.name} />
              <div className={classes.caption}>
                <Text size="xs" truncate title={item.name}>
                  {item.name}
                </Text>
                {canAct && (
                  <Button size="compact-xs" variant="default" disabled={restore.isPending} onClick={() => bringBack([item.id])}>
                    {t('quarantine.restore')}
                  </Button>
                )}
              </div>
            </li>
          ))}
        </ul>
        <LoadMore query={items} />
      </Stack>
    </Section>
  )
}
