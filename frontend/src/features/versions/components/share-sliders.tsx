import { Group, Input, Slider, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatFraction } from '../../../charts/format/format'
import { changedShare, type Shares } from '../model/shares'

interface ShareSlidersProps {
  shares: Shares
  onChange: (shares: Shares) => void
}

const SHARES = ['validation_fraction', 'test_fraction'] as const

/** Chooses the shares of validation and test. */
export function ShareSliders({ shares, onChange }: ShareSlidersProps) {
  const { t } = useTranslation('versions')
  return (
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
  )
}
