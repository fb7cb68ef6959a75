import { Badge, Button, Group, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { formatNumber } from '../../../lib/format'
import { useProjectId } from '../../../lib/project/project'
import { useHasRole } from '../../../lib/session/session'
import type { Column } from '../../../ui/data-table'
import { EmptyState } from '../../../ui/empty-state'
import { ListPage } from '../../../ui/list-page'
import { RelativeTime } from '../../../ui/relative-time'
import { type Template, useTemplates } from '../api/templates'
import { NewTemplateDialog } from '../components/new-template-dialog'
import classes from '../components/templates.module.css'

/** All templates of the project, newest first. */
export function Component() {
  const { t } = useTranslation('templates')
  const project = useProjectId()
  const templates = useTemplates(project)
  const canChange = useHasRole('engineer')
  const [isOpen, setOpen] = useState(false)
  const create = canChange && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen(true)}>
      {t('create')}
    </Button>
  )
  return (
    <>
      <ListPage
        title={t('title')}
        lead={t('lead')}
        create={create}
        query={templates}
        columns={useColumns()}
        empty={
          <EmptyState drawing="template" title={t('empty_title')} action={create}>
            {t('empty_text')}
          </EmptyState>
        }
      />
      {isOpen && <NewTemplateDialog project={project} onClose={() => setOpen(false)} />}
    </>
  )
}

function useColumns(): Column<Template>[] {
  const { t } = useTranslation('templates')
  return [
    {
      key: 'name',
      title: t('column.name'),
      render: ({ name, slug, thumbnail_url, is_complete }) => (
        <Group wrap="nowrap" gap="sm">
          <img src={thumbnail_url} alt="" className={classes.thumb} />
          <div>
            <Text size="sm" fw={600} truncate>
              {name}
            </Text>
            <Text size="xs" c="dimmed">
              {slug}
            </Text>
          </div>
          {!is_complete && <Badge color="gray">{t('incomplete')}</Badge>}
        </Group>
      ),
    },
    {
      key: 'references',
      title: t('column.references'),
      width: 140,
      align: 'right',
      render: ({ num_references }) => formatNumber(num_references),
    },
    { key: 'fields', title: t('column.fields'), width: 120, align: 'right', render: ({ num_fields }) => formatNumber(num_fields) },
    { key: 'changed', title: t('column.changed'), width: 160, render: ({ changed_at }) => <RelativeTime value={changed_at} /> },
  ]
}
