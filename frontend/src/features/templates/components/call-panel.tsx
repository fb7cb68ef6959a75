import { Anchor, Code, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { CopyButton } from '../../../ui/copy-button'
import { Section } from '../../../ui/section'
import { type TemplateDetail, useDeploymentChoices } from '../api/templates'
import classes from './templates.module.css'

/** Commands that read a form by this template, one for each deployment of the project. */
export function CallPanel({ template: { project, slug } }: { template: TemplateDetail }) {
  const { t } = useTranslation('templates')
  const deployments = useDeploymentChoices(project)
  if (!deployments.data) return null
  return (
    <Section title={t('call.title')} help={t('call.help')}>
      {deployments.data.length === 0 ? (
        <Text size="sm">
          {t('call.none')}{' '}
          <Anchor component={Link} to={`/projects/${project}/deployments`} size="sm">
            {t('call.to_deployments')}
          </Anchor>
        </Text>
      ) : (
        <Stack gap="xs">
          {deployments.data.map(({ id, name, url }) => {
            const command = commandOf(url, slug)
            return (
              <div key={id}>
                <Text size="xs" fw={600}>
                  {name}
                </Text>
                <div className={classes.box}>
                  <Code block className={classes.code}>
                    {command}
                  </Code>
                  <div className={classes.copy}>
                    <CopyButton value={command} />
                  </div>
                </div>
              </div>
            )
          })}
        </Stack>
      )}
    </Section>
  )
}

const commandOf = (url: string, slug: string) =>
  `curl -H "Authorization: Bearer $MODELYARD_KEY" --data-binary @form.jpg \\\n  "${url.replace(/\/predict$/, '/fields')}?template=${slug}"`
