import { Badge, Text } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { useItemSize } from '../../../items/item-size'
import { ItemThumb } from '../../../items/item-thumb'
import type { Finding } from '../api/quality'
import { differences, evidenceOf, shownItem } from '../model/evidence'
import classes from './quality.module.css'

interface FindingCardProps {
  finding: Finding
  isSelected: boolean
  onToggle?: (isRange: boolean) => void
}

/** A picture with the reason why it is here. */
export function FindingCard({ finding, isSelected, onToggle }: FindingCardProps) {
  const { t } = useTranslation('quality')
  const { key, values } = evidenceOf(finding)
  const shown = finding.kind === 'leak' ? { split: t(`charts:split.${values.split}`), other: t(`charts:split.${values.other}`) } : values
  const differs = differences(finding.detail).map((difference) => t(`difference.${difference}`))
  const size = useItemSize()(finding.item.media)
  const labels = finding.item.annotations.map((one) => ('label' in one ? one.label : one.kind)).join(', ')
  return (
    <li className={classes.card}>
      <button
        type="button"
        className={classes.pick}
        data-selected={isSelected}
        aria-pressed={isSelected}
        aria-label={finding.item.name}
        disabled={!onToggle}
        onClick={(event) => onToggle?.(event.shiftKey)}
      >
        <ItemThumb item={shownItem(finding)} alt="" />
        {onToggle && <span className={classes.tick}>{isSelected && <IconCheck size={13} stroke={3} />}</span>}
        {finding.detail.is_kept === true && (
          <Badge size="xs" color="teal" className={classes.kept}>
            {t('kept')}
          </Badge>
        )}
      </button>
      <div className={classes.caption}>
        <Text size="xs" truncate title={finding.item.name}>
          {finding.item.name}
        </Text>
        <Text size="xs" fw={600} lineClamp={2} title={t(`evidence.${key}`, shown)}>
          {t(`evidence.${key}`, shown)}
        </Text>
        <Text size="xs" c="dimmed" lineClamp={2}>
          {[...differs, size, labels].filter(Boolean).join(' · ')}
        </Text>
      </div>
    </li>
  )
}
