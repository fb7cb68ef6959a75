import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import { LANGUAGES, type Language, setLanguage } from '../../../i18n'
import { languageOf } from '../../../i18n/item-words'
import { PromisePicture } from './promise-picture'
import classes from './session-card.module.css'

/** The frame of the pages in front of the sign-in: the form, and in one picture what lies behind it. */
export function SessionCard({ title, children }: { title: string; children: ReactNode }) {
  const { t, i18n } = useTranslation('session')
  useEffect(() => {
    document.title = `${title} · Modelyard`
  }, [title])
  return (
    <div className={classes.page}>
      <Stack className={classes.form} gap="md">
        <Group gap="sm" justify="center">
          <img src="/favicon.svg" width={32} height={32} alt="" />
          <Text fw={650} size="lg">
            Modelyard
          </Text>
        </Group>
        <Text size="sm" c="dimmed" ta="center" style={{ textWrap: 'balance' }}>
          {t('promise')}
        </Text>
        <Paper p="lg" component="main">
          <Title order={1} mb="md">
            {title}
          </Title>
          {children}
        </Paper>
        <Group justify="center" gap="xs">
          {Object.entries(LANGUAGES).map(([language, name]) => (
            <Anchor
              key={language}
              component="button"
              size="xs"
              lang={language}
              fw={language === languageOf(i18n.language) ? 600 : 400}
              aria-current={language === languageOf(i18n.language) || undefined}
              onClick={() => void setLanguage(language as Language)}
            >
              {name}
            </Anchor>
          ))}
        </Group>
      </Stack>
      <div className={classes.picture}>
        <PromisePicture />
      </div>
    </div>
  )
}
