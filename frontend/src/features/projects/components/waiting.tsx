import { Anchor, Box, Group, Text } from '@mantine/core'
import { IconMessage, IconScale, IconTags } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { Section } from '../../../ui/section'
import { useMyWork, useWaiting } from '../api/get-waiting'

/** What waits for the person in all projects: assigned work, disputes, open questions. Nothing where nothing waits. */
export function Waiting({ workspace }: { workspace: string }) {
  const { t } = useTranslation('projects')
  const waiting = useWaiting(workspace).data ?? []
  const mine = (useMyWork().data ?? []).filter((one) => one.workspace === workspace && one.state === 'open' && one.num_open > 0)
  if (waiting.length + mine.length === 0) return null
  return (
    <Box mb="md">
      <Section title={t('waiting.title')}>
        {mine.map((one) => (
          <Line
            key={one.id}
            icon={IconTags}
            to={`/projects/${one.project}/labelling?campaign=${one.id}`}
            name={one.title}
            text={t('waiting.assigned', { count: one.num_open })}
          />
        ))}
        {waiting.flatMap(({ project, name, waiting: some }) =>
          some.map(({ key, count }) => (
            <Line
              key={`${project} ${key}`}
              icon={key === 'disputes' ? IconScale : IconMessage}
              to={`/projects/${project}/team?tab=open`}
              name={name}
              text={t(key === 'disputes' ? 'waiting.disputes' : 'waiting.comments', { count })}
            />
          )),
        )}
      </Section>
    </Box>
  )
}

interface LineProps {
  icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>
  to: string
  name: string
  text: string
}

function Line({ icon: Icon, to, name, text }: LineProps) {
  return (
    <Group gap="xs" wrap="nowrap" py={2}>
      <Icon size={16} aria-hidden />
      <Anchor component={Link} to={to} size="sm" fw={500} truncate>
        {name}
      </Anchor>
      <Text size="sm" c="dimmed" flex="none">
        {text}
      </Text>
    </Group>
  )
}
