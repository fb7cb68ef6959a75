import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import type { KeptProps } from '../kind'

/** Leads to the picture. */
export function Kept({ call }: KeptProps) {
  const { t } = useTranslation('deployments')
  return (
    call.input_url && (
      <Anchor href={call.input_url} size="xs">
        {t('log.kept')}
      </Anchor>
    )
  )
}
