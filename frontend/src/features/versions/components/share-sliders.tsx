import { Group, Input, Slider, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'

import { formatFraction } from '../../../charts/format/format'
import { ErrorState } from '../../../ui/error-state'
import { useSplitPreview } from '../api/split-preview'
import { changedShare, type Shares } from '../model/shares'
import { SplitBar } from './split-bar'

interface ShareSlidersProps {
  project: string
  shares: Shares
  onChange: (shares: Shares) => void
}

const SHARES = ['validation_fraction', 'test_fraction'] as const

/** Chooses the shares of validation and test, with the items that each split will hold. */
export function ShareSliders({ project, shares, onChange }: ShareSlidersProps) {
  const { t } = useTranslation('versions')
  const [asked] = useDebouncedValue(shares, 250)
  const preview = useSplitPreview(project, asked)
  return (
    <Stack gap="sm">
      <Group grow align="flex-start">
        {SHARES.map((name) => (
          <Input.Wrapper key={name} label={t(`dialog.${name}`)} labelElement="div">
            <Slider
              thumbLabel={t(`dialog.${name}`)}
              min={0}
              max={0.5}
              step={0.01}
              label={null}
              value={shares[name]}
              onChange={(value) => onChange(changedShare(shares, name, value))}
            />
            <Text size="xs" c="dimmed" mt={2}>
              {formatFraction(shares[name], 0)}
            </Text>
          </Input.Wrapper>
        ))}
      </Group>
      <SplitBar counts={preview.data?.by_split ?? {}} hasLegend />
      {preview.isError && <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />}
      <Text size="xs" c="dimmed">
        {preview.data?.is_exact === false && `${t('dialog.about')} `}
        {t('dialog.by_label')} {t('dialog.stable')}
      </Text>
    </Stack>
  )
}
