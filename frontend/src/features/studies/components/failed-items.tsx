import { Anchor, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { ItemThumb } from '../../../items/item-thumb'
import type { FailedItem } from '../api/types'
import classes from './failure-alert.module.css'

interface FailedItemsProps {
  project: string
  title: string
  /** The first of them. */
  items: readonly FailedItem[]
  count: number
}

/** What makes trials fail, each one click away. */
export function FailedItems({ project, title, items, count }: FailedItemsProps) {
  const { t } = useTranslation('studies')
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <div className={classes.found}>
        {items.map((item) => (
          <Anchor key={item.id} component={Link} to={`/projects/${project}/labelling?item=${item.id}`} className={classes.one}>
            {item.thumbnail_url && <ItemThumb item={{ text: null, thumbnail_url: item.thumbnail_url }} alt="" size={48} />}
            <Text size="xs" truncate>
              {item.name}
            </Text>
            {item.is_left_out && (
              <Text size="xs" c="dimmed">
                {t('cure.left_out')}
              </Text>
            )}
          </Anchor>
        ))}
      </div>
      {count > items.length && (
        <Text size="xs" c="dimmed">
          {t('cure.more', { count: count - items.length })}
        </Text>
      )}
    </div>
  )
}
