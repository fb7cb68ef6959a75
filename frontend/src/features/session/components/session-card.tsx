import { Anchor, Box, Center, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import { LANGUAGES, type Language, setLanguage } from '../../../i18n'

/** The frame of the pages in front of the sign-in. */
export function SessionCard({ title, children }: { title: string; children: ReactNode }) {
  const { t, i18n } = useTranslation('session')
  useEffect(() => {
    document.title = `${title} · Modelyard`
  }, [title])
  return (
    <Center mih="100vh" p="md">
      <Stack w={360} maw="100%" gap="md">
        <Group gap="sm" justify="center">
          <img src="/favicon.svg" width={32} height={32} alt="" />
          <Box>
            <Text fw={650} size="lg">
              Modelyard
            </Text>
          </Box>
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
              fw={language === i18n.language ? 600 : 400}
              onClick={() => void setLanguage(language as Language)}
            >
              {name}
            </Anchor>
          ))}
        </Group>
      </Stack>
    </Center>
  )
}
