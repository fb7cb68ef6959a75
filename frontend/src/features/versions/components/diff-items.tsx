import { Badge, Group, Text } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { ItemThumb } from '../../../ui/item-thumb'
import type { DiffItem } from '../api/types'
import { groupedAnnotations } from '../model/annotation-words'
import classes from './diff-items.module.css'

const COLORS = { added: 'teal', removed: 'red', changed: 'accent' } as const

/** Items that differ, what was said of them and what is said. */
export function DiffItems({ items }: { items: readonly DiffItem[] }) {
  return (
    <ul className={classes.list}>
      {items.map((item) => (
        <DiffCard key={item.item} item={item} />
      ))}
    </ul>
  )
}

function DiffCard({ item }: { item: DiffItem }) {
  const { t } = useTranslation('versions')
  const isMoved = item.split_before !== item.split_after && item.kind === 'changed'
  return (
    <li className={classes.card}>
      <ItemThumb item={item} alt={item.name} {...(item.text === null ? { size: 88 } : {})} />
      <div style={{ minWidth: 0 }}>
        <Group gap={6} wrap="nowrap" justify="space-between">
          <Text size="xs" truncate title={item.name}>
            {item.name}
          </Text>
          <Badge size="xs" variant="light" color={COLORS[item.kind]} style={{ flexShrink: 0 }}>
            {t(`diff.kind.${item.kind}`)}
          </Badge>
        </Group>
        <div className={classes.sides}>
          <Side annotations={item.before} different={item.gone} isBefore />
          <IconArrowRight size={14} aria-hidden style={{ marginTop: 2, opacity: 0.6 }} />
          <Side annotations={item.after} different={item.come} isBefore={false} />
        </div>
        {isMoved && (
          <Text size="xs" c="dimmed" mt={4}>
            {t('diff.moved', { before: t(`charts:split.${item.split_before}`), after: t(`charts:split.${item.split_after}`) })}
          </Text>
        )}
        {item.kind === 'changed' && item.aspects.every((aspect) => aspect === 'provenance' || aspect === 'group') && (
          <Text size="xs" c="dimmed" mt={4}>
            {t(item.aspects.includes('provenance') ? 'diff.said_by_another' : 'diff.regrouped')}
          </Text>
        )}
      </div>
    </li>
  )
}

interface SideProps {
  annotations: DiffItem['before']
  different: readonly number[]
  isBefore: boolean
}

function Side({ annotations, different, isBefore }: SideProps) {
  const { t } = useTranslation('versions')
  const side = t(isBefore ? 'diff.before' : 'diff.after')
  if (annotations === null)
    return (
      <Text size="xs" c="dimmed" title={side}>
        {t('diff.not_in')}
      </Text>
    )
  if (annotations.length === 0)
    return (
      <Text size="xs" c="dimmed" title={side}>
        {t('nothing_on_it')}
      </Text>
    )
  return (
    <div className={classes.side} title={side}>
      {groupedAnnotations(annotations, different).map((group) => (
        <Badge
          key={`${group.kind} ${group.words} ${group.isDifferent}`}
          size="sm"
          tt="none"
          variant={group.isDifferent ? 'light' : 'default'}
          color={isBefore ? 'red' : 'teal'}
          className={group.isDifferent && isBefore ? classes.gone : undefined}
        >
          {group.count > 1 ? `${group.words} × ${group.count}` : group.words}
        </Badge>
      ))}
    </div>
  )
}
