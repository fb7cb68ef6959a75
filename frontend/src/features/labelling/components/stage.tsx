import { Center, Loader, Text } from '@mantine/core'
import { IconPhotoOff } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { Item } from '../../../lib/api/types'
import classes from './stage.module.css'

/** The picture, as large as the page allows; the thumbnail stands in until it is there. */
export function Stage({ item, children }: { item: Item | null; children?: ReactNode }) {
  const { t } = useTranslation('labelling')
  const [broken, setBroken] = useState<string | null>(null)
  return (
    <div className={classes.stage}>
      {!item && (
        <Center h="100%">
          <Loader />
        </Center>
      )}
      {item && broken === item.id && (
        <Center h="100%" c="dimmed">
          <IconPhotoOff size={32} />
          <Text ml="xs">{t('broken')}</Text>
        </Center>
      )}
      {item && broken !== item.id && (
        <img
          key={item.id}
          className={classes.picture}
          src={item.picture_url}
          style={{ backgroundImage: `url("${item.thumbnail_url}")` }}
          alt={item.name}
          draggable={false}
          onError={() => setBroken(item.id)}
        />
      )}
      {children}
    </div>
  )
}
