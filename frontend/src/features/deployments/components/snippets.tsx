import { Alert, Button, Code, Group, Tabs, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useHasRole, useWorkspace } from '../../../lib/session/session'
import { CopyButton } from '../../../ui/copy-button'
import { ErrorState } from '../../../ui/error-state'
import { Section } from '../../../ui/section'
import { useCreateKey } from '../api/create-key'
import type { Deployment } from '../api/types'
import { LANGUAGES, withKey } from '../model/snippet'
import classes from './snippets.module.css'

/** Programs that call the deployment. A key is made on request and lives on this page only until it is left. */
export function Snippets({ deployment }: { deployment: Deployment }) {
  const { t } = useTranslation('deployments')
  const workspace = useWorkspace()
  const canMake = useHasRole('owner')
  const create = useCreateKey(workspace?.id ?? '', deployment.id)
  const [secret, setSecret] = useState<string | null>(null)
  const make = () =>
    create.mutate(t('snippets.key_name', { name: deployment.name }), {
      onSuccess: (made) => setSecret(made.secret),
    })
  return (
    <Section title={t('snippets.title')}>
      <Tabs defaultValue="curl">
        <Tabs.List>
          {LANGUAGES.map((language) => (
            <Tabs.Tab key={language} value={language}>
              {t(`snippets.${language}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {LANGUAGES.map((language) => {
          const snippet = deployment.snippets[language]
          const program = secret ? withKey(language, snippet, secret) : snippet
          return (
            <Tabs.Panel key={language} value={language}>
              <div className={classes.box}>
                <Code block className={classes.code}>
                  {program}
                </Code>
                <div className={classes.copy}>
                  <CopyButton value={program} />
                </div>
              </div>
            </Tabs.Panel>
          )
        })}
      </Tabs>
      {secret ? (
        <Alert color="yellow" mt="sm" py="xs" icon={<IconKey size={16} />}>
          <Group gap={6}>
            <Text size="sm">{t('snippets.key_shown')}</Text>
            <Code>{secret}</Code>
            <CopyButton value={secret} />
          </Group>
        </Alert>
      ) : (
        <Group mt="sm" justify="space-between" wrap="nowrap">
          <Text size="sm" c="dimmed">
            {t(canMake ? 'snippets.key_text' : 'snippets.key_ask')}
          </Text>
          {canMake && (
            <Button variant="default" leftSection={<IconKey size={16} />} loading={create.isPending} onClick={make} flex="none">
              {t('snippets.key_create')}
            </Button>
          )}
        </Group>
      )}
      {create.isError && <ErrorState error={create.error} />}
    </Section>
  )
}
