import { Badge, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Section } from '../../../ui/section'
import { type Gallery, useVerify } from '../api/galleries'
import { PictureField } from '../../../ui/picture-field'

/** Two pictures: the same thing or not. */
export function VerifyPanel({ gallery }: { gallery: Gallery }) {
  const { t } = useTranslation('galleries')
  const [first, setFirst] = useState<File | null>(null)
  const [second, setSecond] = useState<File | null>(null)
  const verify = useVerify(gallery.id)
  const ask = (one: File | null, other: File | null) => {
    setFirst(one)
    setSecond(other)
    if (one && other) verify.mutate({ first: one, second: other })
  }
  return (
    <Section title={t('verify.title')} help={t('verify.help')}>
      <Stack gap="sm">
        <SimpleGrid cols={2}>
          <PictureField label={t('verify.first')} picture={first} onPicture={(file) => ask(file, second)} />
          <PictureField label={t('verify.second')} picture={second} onPicture={(file) => ask(first, file)} />
        </SimpleGrid>
        <div aria-live="polite">
          {verify.data && !verify.isPending && (
            <Group gap="sm">
              <Badge color={verify.data.is_same ? 'teal' : 'gray'}>{t(verify.data.is_same ? 'same' : 'different')}</Badge>
              <Text size="sm">
                {t('verify.similarity', { value: verify.data.similarity.toFixed(3), limit: verify.data.limit.toFixed(3) })}
              </Text>
            </Group>
          )}
        </div>
      </Stack>
    </Section>
  )
}
