import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatPercent, formatSeconds } from '../../../lib/format'
import { type Column, DataTable } from '../../../ui/data-table'
import type { Report } from '../api/campaigns'

type Person = Report['people'][number]

const share = (value: number | null) => (value === null ? '–' : formatPercent(value))

/** How each person does in a campaign. */
export function CampaignPeople({ report, hasGold, isBlind }: { report: Report; hasGold: boolean; isBlind: boolean }) {
  const { t } = useTranslation('team')
  const columns: Column<Person>[] = [
    { key: 'name', title: t('person.name'), render: (row) => <Text fw={500}>{row.name || t('somebody')}</Text> },
    { key: 'answers', title: t('person.answers'), width: 100, align: 'right', render: (row) => row.num_opinions },
    { key: 'today', title: t('person.today'), width: 90, align: 'right', render: (row) => row.num_today },
    {
      key: 'time',
      title: t('person.time'),
      width: 120,
      align: 'right',
      render: (row) => (row.median_s === null ? '–' : formatSeconds(row.median_s)),
    },
  ]
  if (hasGold)
    columns.push({
      key: 'gold',
      title: t('person.gold'),
      width: 150,
      align: 'right',
      render: (row) => (row.num_gold ? `${share(row.gold_accuracy)} (${row.num_gold})` : '–'),
    })
  if (isBlind)
    columns.push(
      { key: 'agreement', title: t('person.agreement'), width: 150, align: 'right', render: (row) => share(row.agreement) },
      { key: 'trust', title: t('person.trust'), width: 130, align: 'right', render: (row) => share(row.trust) },
    )
  return <DataTable caption={t('person.title')} columns={columns} rows={report.people} rowKey={(row) => row.person} />
}
