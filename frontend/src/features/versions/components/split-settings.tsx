import { Group, Select, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'

import { formatNumber } from '../../../charts/format/format'
import { ErrorState } from '../../../ui/error-state'
import { useSplitFields, useSplitPreview } from '../api/split-preview'
import type { SplitRule } from '../api/types'
import type { Shares } from '../model/shares'
import { isPossible, isWhole, ruleBy, SPLIT_BYS, type SplitBy } from '../model/split-rule'
import { ShareSliders } from './share-sliders'
import { SplitBar } from './split-bar'

interface SplitSettingsProps {
  project: string
  /** Only the first version chooses the shares; later ones place what is new. */
  isFirst: boolean
  shares: Shares
  onShares: (shares: Shares) => void
  /** None: as before. */
  rule: SplitRule | null
  onRule: (rule: SplitRule) => void
}

/** Chooses how the splits are made, with the number that each will hold. */
export function SplitSettings({ project, isFirst, shares, onShares, rule, onRule }: SplitSettingsProps) {
  const { t } = useTranslation('versions')
  const fields = useSplitFields(project)
  const [debounced] = useDebouncedValue(shares, 250)
  const preview = useSplitPreview(project, isFirst ? debounced : null, rule !== null && isWhole(rule) ? rule : null)
  const now: SplitRule = rule ?? preview.data?.rule ?? { by: 'labels', field: '' }
  const isReady = preview.data !== undefined && isWhole(now)
  return (
    <Stack gap="sm">
      <Group grow align="flex-start">
        <Select
          label={t('dialog.split_by')}
          allowDeselect={false}
          data={SPLIT_BYS.map((by) => ({
            value: by,
            label: t(`dialog.split_rules.${by}`),
            disabled: fields.data === undefined || !isPossible(by, fields.data),
          }))}
          value={now.by}
          onChange={(by) => by !== null && fields.data && onRule(ruleBy(by as SplitBy, fields.data))}
        />
        {now.by !== 'labels' && (
          <Select
            label={t('dialog.split_field')}
            placeholder={t('dialog.split_field_placeholder')}
            allowDeselect={false}
            searchable
            data={
              now.by === 'time'
                ? [
                    ...(fields.data?.moments ?? []).map((name) => ({ value: `=${name}`, label: name })),
                    { value: '=', label: t('dialog.upload_time') },
                  ]
                : (fields.data?.values ?? []).map((name) => ({ value: `=${name}`, label: name }))
            }
            value={now.by === 'time' || now.field !== '' ? `=${now.field}` : null}
            onChange={(field) => field !== null && onRule({ by: now.by, field: field.slice(1) })}
          />
        )}
      </Group>
      {isFirst && now.by !== 'named' && <ShareSliders shares={shares} onChange={onShares} />}
      {isReady && <SplitBar counts={preview.data.by_split} hasLegend />}
      {preview.isError && <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />}
      {fields.isError && <ErrorState error={fields.error} onRetry={() => void fields.refetch()} />}
      <Text size="xs" c="dimmed">
        {preview.data?.is_exact === false && `${t('dialog.about')} `}
        {t(`dialog.split_helps.${now.by}`)}{' '}
        {isReady &&
          now.by !== 'labels' &&
          preview.data.num_without > 0 &&
          `${t(`dialog.without.${now.by}`, { number: formatNumber(preview.data.num_without) })} `}
        {isFirst ? t('dialog.stable') : t('dialog.held')}
      </Text>
    </Stack>
  )
}
