import { ActionIcon, Avatar, Group, Menu, Text, Tooltip, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconHelp, IconLanguage, IconLogout, IconMoon, IconPencil, IconSettings, IconSun } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'

import { LANGUAGES, type Language } from '../i18n'
import { languageOf } from '../i18n/item-words'
import type { Me } from '../lib/api/types'
import { helpFor } from '../lib/help'
import { NoticeBell } from './notice-bell'
import { PaletteButton } from './palette/palette-button'
import { useLanguageChoice, useSignOut } from './personal'
import { RunningJobs } from './running-jobs'
import { StaleNotice } from './stale-notice'

const SCHEMES = [
  { value: 'light', icon: IconSun },
  { value: 'dark', icon: IconMoon },
  { value: 'auto', icon: IconDeviceDesktop },
] as const

/** The way to everything, what is not up to date, what runs, help, the language, the colours, the person. */
export function TopBar({ me }: { me: Me }) {
  return (
    <Group gap={4} wrap="nowrap" miw={0}>
      <PaletteButton />
      <StaleNotice />
      <RunningJobs />
      <NoticeBell />
      <HelpLink />
      <LanguageMenu me={me} />
      <SchemeMenu />
      <PersonMenu me={me} />
    </Group>
  )
}

/** The page of the documentation that fits the one open, in a tab of its own. */
function HelpLink() {
  const { t, i18n } = useTranslation('common')
  const { pathname } = useLocation()
  return (
    <Tooltip label={t('help')}>
      <ActionIcon component="a" href={helpFor(pathname, i18n.language)} target="_blank" aria-label={t('help')}>
        <IconHelp size={18} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  )
}

function LanguageMenu({ me }: { me: Me }) {
  const { t, i18n } = useTranslation('common')
  const choose = useLanguageChoice(me)
  return (
    <Menu>
      <Menu.Target>
        <Tooltip label={t('language')}>
          <ActionIcon aria-label={t('language')}>
            <IconLanguage size={18} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(LANGUAGES).map(([language, name]) => (
          <Menu.Item
            key={language}
            lang={language}
            fw={language === languageOf(i18n.language) ? 600 : 400}
            onClick={() => choose(language as Language)}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function SchemeMenu() {
  const { t } = useTranslation('common')
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const Current = SCHEMES.find((scheme) => scheme.value === colorScheme)?.icon ?? IconSun
  return (
    <Menu>
      <Menu.Target>
        <Tooltip label={t('scheme.title')}>
          <ActionIcon aria-label={t('scheme.title')}>
            <Current size={18} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {SCHEMES.map(({ value, icon: Icon }) => (
          <Menu.Item key={value} leftSection={<Icon size={16} />} onClick={() => setColorScheme(value)}>
            {t(`scheme.${value}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function PersonMenu({ me }: { me: Me }) {
  const { t } = useTranslation('common')
  const navigate = useNavigate()
  const signOut = useSignOut()
  return (
    <Menu width={200}>
      <Menu.Target>
        <UnstyledButton aria-label={me.name || me.email}>
          <Avatar name={me.name || me.email} size={28} variant="filled" color="accent" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="xs" truncate>
            {me.email}
          </Text>
        </Menu.Label>
        <Menu.Item leftSection={<IconSettings size={16} />} onClick={() => void navigate('/settings')}>
          {t('nav.settings')}
        </Menu.Item>
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => void navigate('/playground')}>
          {t('nav.playground')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => signOut.mutate()}>
          {t('sign_out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
