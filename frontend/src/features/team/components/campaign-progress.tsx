import { Group, Progress as Bar, Text, Tooltip } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import type { Campaign } from '../api/campaigns'
import { progressOf } from '../model/progress'

/** Decided, disputed and open items as one bar. */
export function CampaignProgress({ campaign, width = 160 }: { campaign: Campaign; width?: number | string }) {
  const { t } = useTranslation('team')
  const { done, total, disputed } = progressOf(campaign, 0)
  const share = (num: number) => (total ? (100 * num) / total : 0)
  return (
    <Group gap="xs" wrap="nowrap">
      <Tooltip label={t('progress', { done, disputed, open: total - done - disputed })}>
        <Bar.Root size="sm" w={width} miw={40} style={{ flexShrink: 1 }}>
          <Bar.Section value={share(done)} color="teal" aria-label={t('done')} />
          <Bar.Section value={share(disputed)} color="orange" aria-label={t('disputed')} />
        </Bar.Root>
      </Tooltip>
      <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {done}/{total}
      </Text>
      {disputed > 0 && (
        <Text size="xs" c="orange.9" style={{ whiteSpace: 'nowrap' }}>
          {t('dispute.title', { count: disputed })}
        </Text>
      )}
    </Group>
  )
}
