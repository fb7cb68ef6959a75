import { Select } from '@mantine/core'
import { IconArrowsSort } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { type ItemOrder, type Order, ORDERS } from '../model/order'

/** What comes first. */
export function OrderSelect({ order, onChange }: { order: Order | null; onChange: (order: ItemOrder | null) => void }) {
  const { t } = useTranslation('data')
  return (
    <Select
      size="xs"
      w={152}
      aria-label={t('order.title')}
      leftSection={<IconArrowsSort size={14} />}
      data={(['oldest', ...ORDERS] as const).map((value) => ({ value, label: t(`order.${value}`) }))}
      value={typeof order === 'string' ? order : 'oldest'}
      allowDeselect={false}
      onChange={(value) => onChange(ORDERS.find((one) => one === value) ?? null)}
    />
  )
}
