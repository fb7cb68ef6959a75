import { Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatFraction } from '../../../charts/format/format'
import { formatNumber } from '../../../lib/format'
import { type Column, DataTable } from '../../../ui/data-table'
import type { Report } from '../api/shelves'
import { absentOf, type Line, linesOf } from '../model/report'
import { UNKNOWN_COLOUR } from './shelf-photo'
import classes from './shelves.module.css'

interface ProductTableProps {
  report: Report
  colours: ReadonlyMap<string, string>
  /** A product whose packs are to stand out; null: the unknown ones. */
  onFocus: (name: string | null) => void
}

/** Packs, facings and share of each product; a row makes its packs stand out. */
export function ProductTable({ report, colours, onFocus }: ProductTableProps) {
  const { t } = useTranslation('shelves')
  const columns = useColumns(
    colours,
    report.products.some(({ expected }) => expected !== null),
  )
  const absent = absentOf(report)
  return (
    <>
      <DataTable
        caption={t('report.title')}
        columns={columns}
        rows={linesOf(report)}
        rowKey={({ name }) => name ?? ''}
        onRowClick={({ name }) => onFocus(name)}
      />
      {absent.length > 0 && (
        <Text size="xs" c="dimmed" mt="sm">
          {t('report.absent', { names: absent.join(t('comma')) })}
        </Text>
      )}
    </>
  )
}

function useColumns(colours: ReadonlyMap<string, string>, hasPlan: boolean): Column<Line>[] {
  const { t } = useTranslation('shelves')
  const colourOf = ({ name }: Line) => ({ ['--pack-colour' as string]: (name !== null && colours.get(name)) || UNKNOWN_COLOUR })
  const plan: Column<Line> = {
    key: 'missing',
    title: t('report.missing'),
    width: 84,
    align: 'right',
    render: ({ missing, expected }) =>
      expected === null ? '' : missing > 0 ? <Text size="sm" c="red" fw={600}>{`${missing} / ${expected}`}</Text> : formatNumber(0),
  }
  return [
    {
      key: 'name',
      title: t('report.product'),
      render: (line) => (
        <Group gap={8} wrap="nowrap">
          <span className={classes.swatch} style={colourOf(line)} data-unknown={line.name === null || undefined} aria-hidden />
          <Text size="sm" fw={600}>
            {line.name ?? t('unknown')}
          </Text>
        </Group>
      ),
    },
    { key: 'count', title: t('report.packs'), width: 64, align: 'right', render: ({ count }) => formatNumber(count) },
    { key: 'facings', title: t('report.facings'), width: 72, align: 'right', render: ({ facings }) => formatNumber(facings) },
    {
      key: 'share',
      title: t('report.share'),
      width: 140,
      align: 'right',
      render: (line) => (
        <div className={classes.share} style={colourOf(line)}>
          <span className={classes.track} aria-hidden>
            <span style={{ width: percentOf(line.share) }} />
          </span>
          {formatFraction(line.share)}
        </div>
      ),
    },
    ...(hasPlan ? [plan] : []),
  ]
}

const percentOf = (share: number) => `${100 * share}%`
