import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import type { LoggedInputProps } from '../kind'

/** Leads to the picture. */
export function LoggedInput({ call }: LoggedInputProps) {
  const { t } = useTranslation('deployments')
  return (
    call.input_url && (
      <Anchor href={call.input_url} size="xs">
        {t('log.kept')}
      </Anchor>
    )
  )
}
