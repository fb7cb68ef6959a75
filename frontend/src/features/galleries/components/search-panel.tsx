import { Badge, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { formatPercent } from '../../../lib/format'
import { usePastedPicture } from '../../../lib/use-pasted-picture'
import { LoadingState } from '../../../ui/loading-state'
import { Section } from '../../../ui/section'
import { type Gallery, type GallerySearch, useSearch } from '../api/galleries'
import classes from './galleries.module.css'
import { PictureField } from '../../../ui/picture-field'

/** A picture in, the most similar names out. */
export function SearchPanel({ gallery }: { gallery: Gallery }) {
  const { t } = useTranslation('galleries')
  const [picture, setPicture] = useState<File | null>(null)
  const search = useSearch(gallery.id)
  const ask = (file: File) => {
    setPicture(file)
    search.mutate(file)
  }
  usePastedPicture(ask)
  return (
    <Section title={t('search.title')} help={t('search.help')}>
      <Stack gap="sm">
        <PictureField label={t('search.drop')} picture={picture} onPicture={ask} />
        <div aria-live="polite">
          {search.isPending && <LoadingState rows={2} height={64} />}
          {search.data && <Matches found={search.data} />}
        </div>
      </Stack>
    </Section>
  )
}

function Matches({ found: { matches, recall } }: { found: GallerySearch }) {
  const { t } = useTranslation('galleries')
  if (matches.length === 0) return <Text size="sm">{t('search.empty')}</Text>
  return (
    <Stack gap="xs">
      {!matches[0]?.is_same && <Text size="sm">{t('search.unknown')}</Text>}
      {matches.map(({ entry, name, similarity, is_same, thumbnail_url }) => (
        <div key={entry} className={classes.match}>
          <img src={thumbnail_url} alt="" />
          <div>
            <Text size="sm" fw={600}>
              {name}
            </Text>
            <Text size="xs" c="dimmed">
              {t('similarity', { value: similarity.toFixed(3) })}
            </Text>
          </div>
          {is_same && <Badge color="teal">{t('same')}</Badge>}
        </div>
      ))}
      {recall !== null && (
        <Text size="xs" c="dimmed">
          {t('search.approximate', { share: formatPercent(recall) })}
        </Text>
      )}
    </Stack>
  )
}
