import { ActionIcon, Group, Menu, SegmentedControl, Stack, Tooltip } from '@mantine/core'
import { IconDownload, IconPrinter } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useAnswerKind } from '../../../answers'
import { language } from '../../../lib/format'
import { EmptyState } from '../../../ui/empty-state'
import { ContentsList, ContentsMenu, useContents } from '../../../ui/page-contents'
import { Section } from '../../../ui/section'
import type { Artefact, MetricSpec, Report } from '../api/types'
import { chartNamed } from '../charts'
import type { ChartName } from '../charts/chart'
import { columnsByImportance, firstLabel } from '../model/row-report'
import { ItemsDrawer } from './items-drawer'
import { ReportItems } from './report-items'
import { useReportPlace } from './use-report-place'
import { ReportHeadline } from './report-headline'
import { ShippedFacts, ShippedNote } from './shipped-facts'

interface ReportViewProps {
  artefact: Artefact
  report: Report
  /** Of the task; the first is the objective. */
  metrics: readonly MetricSpec[]
  /** Of the task, in their order. */
  charts: readonly ChartName[]
}

/** What can be taken along. */
const FILES = [
  { name: 'report.html', word: 'report_html' },
  { name: 'card.md', word: 'card_md' },
] as const

/** The whole report of one model; every number leads to its items. */
export function ReportView({ artefact, report, metrics, charts }: ReportViewProps) {
  const { t } = useTranslation('report')
  const [output, setOutput] = useState(() => firstLabel(report.labels))
  const { ErrorsInWords, spread } = useAnswerKind()
  const place = useReportPlace()
  const content = useRef<HTMLDivElement>(null)
  const titles = useContents(content)
  const { view, item } = place
  const split = report.splits.find((each) => each.split === (place.split ?? 'test')) ?? report.splits[0]
  const objective = metrics[0]?.name ?? 'accuracy'
  const columns = report.table ? columnsByImportance(report.table) : undefined
  if (!split) return <EmptyState title={t('no_split')} />
  const props = { artefact, report, split, metrics, columns, output, onOutput: setOutput, ...place.show }
  return (
    <Stack gap="lg">
      <ShippedNote report={report} />
      <Group justify="space-between" align="flex-start">
        <ReportHeadline split={split} objective={objective} isAmount={metrics[0]?.unit === 'target'} spread={spread?.(split)}>
          {ErrorsInWords && <ErrorsInWords split={split} />}
        </ReportHeadline>
        <Group gap="xs" wrap="nowrap" style={{ flex: 'none' }}>
          <ContentsMenu titles={titles} />
          <SegmentedControl
            size="xs"
            tt="capitalize"
            aria-label={t('split')}
            value={split.split}
            onChange={place.show.onSplit}
            data={report.splits.map(({ split: name }) => ({ value: name, label: t(`charts:split.${name}`) }))}
          />
          <Menu position="bottom-end" withinPortal>
            <Menu.Target>
              <Tooltip label={t('download')}>
                <ActionIcon variant="default" aria-label={t('download')} data-no-print>
                  <IconDownload size={16} />
                </ActionIcon>
              </Tooltip>
            </Menu.Target>
            <Menu.Dropdown>
              {FILES.map(({ name, word }) => (
                <Menu.Item
                  key={name}
                  component="a"
                  href={`/api/artefacts/${artefact.id}/${name}?language=${language().slice(0, 2)}`}
                  download
                >
                  {t(`file.${word}`)}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
          <Tooltip label={t('print')}>
            <ActionIcon variant="default" aria-label={t('print')} data-no-print onClick={() => window.print()}>
              <IconPrinter size={16} />
            </ActionIcon>
          </Tooltip>
        </Group>
      </Group>
      <Group align="flex-start" wrap="nowrap" gap="lg">
        <Stack ref={content} gap="lg" flex={1} miw={0}>
          {charts.map((name) => {
            const { Chart } = chartNamed(name)
            return <Chart key={name} {...props} />
          })}
          {(report.judgement ?? report.tempering ?? report.shipped) && (
            <Section title={t('shipped.section')}>
              <ShippedFacts artefact={artefact} report={report} objective={objective} />
            </Section>
          )}
        </Stack>
        <ContentsList titles={titles} />
      </Group>
      <ItemsDrawer
        artefact={artefact}
        split={split.split}
        view={view?.kind === 'one' ? null : view}
        columns={columns}
        slices={split.slices?.slices ?? []}
        isCovered={item !== null}
        onItem={place.show.onItem}
        onClose={place.show.onClose}
      />
      {item !== null && (
        <ReportItems
          artefact={artefact}
          split={split.split}
          view={view ?? { kind: 'errors' }}
          item={item}
          onItem={place.show.onItem}
          onClose={place.show.onItemClosed}
        />
      )}
    </Stack>
  )
}
