/** All that the palette offers but what the server finds: pages, and what is changed from any page. */
import { useMantineColorScheme } from '@mantine/core'
import { IconBuilding, IconHelp, IconLanguage, IconLogout, IconPalette } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate, useParams } from 'react-router'

import { type Language, LANGUAGES } from '../../i18n'
import { languageOf } from '../../i18n/item-words'
import type { Me } from '../../lib/api/types'
import { helpFor } from '../../lib/help'
import { useRoleCheck, useWorkspace } from '../../lib/session/session'
import type { FurtherPage, NavEntry } from '../feature'
import { furtherOf, navOf } from '../features'
import { useLanguageChoice, useSignOut, useWorkspaceChoice } from '../personal'
import { useProjectPages } from '../project-pages'
import type { Command, Section } from './command'

type Page = Pick<FurtherPage, 'label' | 'path' | 'icon' | 'needs'>

const pagesOf = (scope: 'workspace' | 'project'): Page[] => [
  ...navOf(scope).map((entry: NavEntry) => ({ ...entry, label: `common:nav.${entry.label}` })),
  ...furtherOf(scope),
]

/** Pages of the workspace, and of the project that is open. */
export function useWorkspacePages(): Command[] {
  return usePageCommands(pagesOf('workspace'), '', 'workspace')
}

export function useProjectPageCommands(): Command[] {
  const { project } = useParams()
  return usePageCommands(useProjectPages(pagesOf('project')), `/projects/${project}`, 'project')
}

function usePageCommands(pages: readonly Page[], base: string, section: Section): Command[] {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const hasRole = useRoleCheck()
  const settings = t('common:nav.settings')
  return pages
    .filter(({ needs }) => hasRole(needs ?? 'viewer'))
    .map(({ label, path, icon }) => {
      const href = path ? `${base}/${path}` : base
      const [page, tab] = path.split('?')
      return {
        id: `${section}:${path}`,
        section,
        label: t(label as 'common:nav.projects'),
        detail: page === 'settings' && tab ? settings : undefined,
        words: [path.replaceAll(/[/?=-]/g, ' ')],
        icon,
        href,
        run: () => void navigate(href),
      }
    })
}

export function useGeneralCommands(me: Me): Command[] {
  const { t, i18n } = useTranslation(['palette', 'common'])
  const { pathname } = useLocation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const workspace = useWorkspace()
  const chooseLanguage = useLanguageChoice(me)
  const chooseWorkspace = useWorkspaceChoice()
  const signOut = useSignOut()
  const command = (id: string, label: string, icon: Command['icon'], run: () => void, words: string[] = []): Command => ({
    id: `general:${id}`,
    section: 'general',
    label,
    icon,
    words,
    run,
  })
  const languages = Object.keys(LANGUAGES) as Language[]
  return [
    ...me.workspaces
      .filter(({ id }) => id !== workspace?.id)
      .map(({ id, name }) => command(id, t('workspace', { name }), IconBuilding, () => chooseWorkspace(id))),
    command('help', t('help'), IconHelp, () => window.open(helpFor(pathname, i18n.language), '_blank', 'noopener'), ['help docs']),
    ...(['light', 'dark', 'auto'] as const)
      .filter((scheme) => scheme !== colorScheme)
      .map((scheme) =>
        command(`scheme:${scheme}`, t('scheme', { name: t(`common:scheme.${scheme}`) }), IconPalette, () => setColorScheme(scheme), [
          `theme ${scheme}`,
        ]),
      ),
    ...languages
      .filter((language) => language !== languageOf(i18n.language))
      .map((language) =>
        command(`language:${language}`, t('language', { name: LANGUAGES[language] }), IconLanguage, () => chooseLanguage(language), [
          `language ${language}`,
        ]),
      ),
    command('sign_out', t('common:sign_out'), IconLogout, () => signOut.mutate(), ['sign out log out']),
  ]
}
