import { IconCalendar, IconCategory, IconHash, IconTextSize } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import type { CellKind } from '../lib/table/cells'

const ICONS = { number: IconHash, category: IconCategory, datetime: IconCalendar, text: IconTextSize }

/** What the cells of a column mean, as a sign. */
export function KindIcon({ kind, size = 14 }: { kind: CellKind; size?: number }) {
  const { t } = useTranslation('common')
  const Icon = ICONS[kind]
  return <Icon size={size} stroke={1.8} role="img" aria-label={t(`kind.${kind}`)} style={{ flex: 'none' }} />
}
