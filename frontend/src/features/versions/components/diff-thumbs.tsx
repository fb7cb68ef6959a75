import { UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { ItemThumb } from '../../../items/item-thumb'
import type { DiffItem } from '../api/types'
import type { DrawnShape } from '../model/shape-changes'
import classes from './diff-thumbs.module.css'
import { ShapeLayer } from './shape-layer'

interface DiffThumbsProps {
  item: DiffItem
  shapes: readonly DrawnShape[]
  onLook: () => void
}

/** A small picture of each side with the shapes it has, which opens large. */
export function DiffThumbs({ item, shapes, onLook }: DiffThumbsProps) {
  const { t } = useTranslation('versions')
  const sides = (['before', 'after'] as const).filter((side) => item[side] !== null)
  return (
    <UnstyledButton
      className={classes.thumbs}
      onClick={onLook}
      aria-label={t('look.open', { name: item.name })}
      title={t('look.open_short')}
    >
      {sides.map((side) => (
        <span key={side} className={classes.side}>
          <ItemThumb item={item} alt="" />
          <svg className={classes.overlay} viewBox={`0 0 ${item.width_px} ${item.height_px}`} aria-hidden>
            <ShapeLayer shapes={shapes.filter((shape) => shape.side === side)} />
          </svg>
          <span className={classes.name}>{t(`diff.${side}`)}</span>
        </span>
      ))}
    </UnstyledButton>
  )
}
