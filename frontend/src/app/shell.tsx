import { AppShell, Burger, Group, NavLink as Item, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Navigate, NavLink, Outlet, useLocation, useParams } from 'react-router'

import type { Language } from '../i18n'
import { setLanguage } from '../i18n'
import { ApiError, isNotFound } from '../lib/api/errors'
import { projectQuery } from '../lib/project/project'
import { useMe, useRoleCheck } from '../lib/session/session'
import { useElementHeight } from '../lib/use-element-height'
import { ErrorState } from '../ui/error-state'
import { LoadingState } from '../ui/loading-state'
import type { NavEntry } from './feature'
import { navOf, notifySignedIn } from './features'
import { keepRecentPage } from './palette/recent'
import { useProjectPages } from './project-pages'
import { ProjectSwitcher } from './project-switcher'
import classes from './shell.module.css'
import { TopBar } from './top-bar'
import { WorkspaceSwitcher } from './workspace-switcher'

/** The frame of every page behind the sign-in: rail, top bar, content. */
export function Shell() {
  const { t } = useTranslation('common')
  const me = useMe()
  const location = useLocation()
  const project = useRailProject()
  const [isOpen, menu] = useDisclosure()
  const foot = useElementHeight('--rail-foot-height')

  const person = me.data?.id
  useEffect(() => {
    if (person) notifySignedIn(person)
  }, [person])
  useEffect(() => keepRecentPage(location.pathname), [location.pathname])
  useEffect(() => {
    if (me.data) void setLanguage(me.data.language as Language)
  }, [me.data])

  if (me.isError && me.error instanceof ApiError && me.error.status === 401) {
    return <Navigate to="/sign-in" replace state={{ from: location.pathname + location.search }} />
  }
  return (
    <AppShell header={{ height: 48 }} navbar={{ width: 216, breakpoint: 'sm', collapsed: { mobile: !isOpen } }} padding="lg">
      <a className={classes.skip} href="#content">
        {t('skip')}
      </a>
      <AppShell.Header className={classes.header}>
        <Group gap="sm" wrap="nowrap">
          <Burger opened={isOpen} onClick={menu.toggle} hiddenFrom="sm" size="sm" aria-label={t('menu')} />
          <UnstyledButton component={Link} to="/projects" className={classes.brand} aria-label="Modelyard">
            <img src="/favicon.svg" width={22} height={22} alt="" />
            <Text fw={650} visibleFrom="sm">
              Modelyard
            </Text>
          </UnstyledButton>
        </Group>
        {me.data && <TopBar me={me.data} />}
      </AppShell.Header>
      <AppShell.Navbar p="xs" className={classes.rail} onClick={menu.close}>
        {me.data && (
          <>
            <div className={classes.links}>
              <WorkspaceSwitcher />
              {project && <ProjectSwitcher project={project} />}
              {project ? <ProjectRail project={project} /> : <WorkspaceRail />}
            </div>
            <div ref={foot}>{project && <WorkspaceRail />}</div>
          </>
        )}
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={classes.main}>
        {me.isPending && <LoadingState />}
        {me.isError && !me.data && <ErrorState error={me.error} onRetry={() => void me.refetch()} />}
        {me.data && <Outlet />}
      </AppShell.Main>
    </AppShell>
  )
}

/** The project of the address, whose pages the rail lists; null where there is no such project. */
function useRailProject(): string | null {
  const { project } = useParams()
  const { error } = useQuery({ ...projectQuery(project ?? ''), enabled: project !== undefined })
  return project && !isNotFound(error) ? project : null
}

function WorkspaceRail() {
  return <Rail entries={navOf('workspace')} base="" />
}

function ProjectRail({ project }: { project: string }) {
  return <Rail entries={useProjectPages(navOf('project'))} base={`/projects/${project}`} />
}

function Rail({ entries, base }: { entries: NavEntry[]; base: string }) {
  const { t } = useTranslation('common')
  const hasRole = useRoleCheck()
  const shown = entries.filter((entry) => hasRole(entry.needs ?? 'viewer'))
  return shown.map(({ label, path, icon: Icon }) => (
    <NavLink key={label} to={path ? `${base}/${path}` : base} end={path === '' || base === ''} className={classes.link}>
      {({ isActive }) => (
        <Item
          component="span"
          label={t(`nav.${label}`)}
          leftSection={<Icon size={17} stroke={1.6} />}
          active={isActive}
          className={classes.item}
        />
      )}
    </NavLink>
  ))
}
