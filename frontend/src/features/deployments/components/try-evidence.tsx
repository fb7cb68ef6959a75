import { Button, Loader, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '../../../ui/error-state'
import { EvidenceText } from '../../../ui/evidence-text'
import { useExplain } from '../api/explain-text'

/** What the server explains of one text. */
export const EXPLAINED_CHARACTERS_MAX = 20_000

interface TryEvidenceProps {
  deployment: string
  /** As it was asked about. */
  text: string
}

/** What counted in a text for its best answer, looked for when it is asked. Mount it anew for another text. */
export function TryEvidence({ deployment, text }: TryEvidenceProps) {
  const { t } = useTranslation('deployments')
  const explain = useExplain(deployment, text)
  if (explain.data) return <EvidenceText text={text} evidence={explain.data} />
  if (explain.isError) return <ErrorState error={explain.error} />
  if (explain.isFetching) {
    return (
      <Text size="sm" c="dimmed">
        <Loader size="xs" mr="xs" />
        {t('try.explaining')}
      </Text>
    )
  }
  if ([...text].length > EXPLAINED_CHARACTERS_MAX) return null
  return (
    <Button variant="default" size="compact-sm" onClick={() => void explain.refetch()}>
      {t('try.explain')}
    </Button>
  )
}
