import { Code, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useAnswerKind } from '../../../answers'
import { CopyButton } from '../../../ui/copy-button'
import { Section } from '../../../ui/section'
import type { Deployment } from '../api/types'
import classes from './snippets.module.css'

/** How programs say what turned out to be true of their calls. */
export function TruthPanel({ deployment }: { deployment: Deployment }) {
  const { t } = useTranslation('deployments')
  const { truthExample } = useAnswerKind()
  if (!truthExample) return null
  const program = [
    `curl -X POST "${location.origin}/api/deployments/${deployment.id}/feedback" \\`,
    '  -H "Authorization: Bearer $MODELYARD_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '{"items": [{"call": "prd_...", ${truthExample}}]}'`,
  ].join('\n')
  return (
    <Section title={t('truth.title')} help={t('truth.text')}>
      <div className={classes.box}>
        <Code block className={classes.code} mih={0}>
          {program}
        </Code>
        <div className={classes.copy}>
          <CopyButton value={program} />
        </div>
      </div>
      <Text size="xs" c="dimmed" mt={6}>
        {t('truth.key')}
      </Text>
    </Section>
  )
}
