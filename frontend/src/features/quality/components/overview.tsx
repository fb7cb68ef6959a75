import { Alert, Button, List, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useAnswerKind } from '../../../answers'
import { BarList } from '../../../charts/bar-list/bar-list'
import { SPLITS } from '../../../charts/palette/split-colors'
import { formatPercent, formatSeconds } from '../../../lib/format'
import { Facts } from '../../../ui/facts'
import { Section } from '../../../ui/section'
import type { Note, Report } from '../api/quality'
import { ColumnWarnings } from './column-warnings'
import { Histogram } from './histogram'
import classes from './quality.module.css'

const MEASURES = ['megapixels', 'aspect', 'file_kb', 'brightness', 'contrast', 'sharpness', 'characters', 'letters'] as const
const NOTES_SHOWN = 8
/** What features are called where they come from pretrained weights. */
const FEATURES: Record<string, string> = {
  efficientnet_lite0: 'EfficientNet-Lite0',
  efficientnet_lite1: 'EfficientNet-Lite1',
  efficientnet_lite2: 'EfficientNet-Lite2',
  minilm_l6: 'MiniLM-L6',
  multilingual_e5_small: 'Multilingual E5 small',
}

/** Open findings of a kind, and the way to them. */
interface Open {
  count: number
  onShow: () => void
}

/** The dataset by numbers: balance, sizes, light, sharpness, and what is worth knowing. */
export function Overview({ report, leaks, doubts }: { report: Report; leaks?: Open; doubts?: Open }) {
  const { t } = useTranslation('quality')
  const { isOfWhole } = useAnswerKind()
  const shareOf = useShare()
  const columns = [
    { key: 'count', title: t('balance.count'), format: (value: number | null | undefined) => String(value ?? 0), full: null },
    ...SPLITS.map((split) => ({
      key: split,
      title: t(`charts:split.${split}`),
      format: (value: number | null | undefined) => String(value ?? 0),
      full: null,
    })),
  ]
  const rows = report.labels.map((one) => ({
    key: one.label,
    title: one.label,
    values: { count: one.num_items, ...one.num_items_by_split },
  }))
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Section title={t('facts.title')}>
          <Facts
            facts={[
              { name: t('facts.items'), value: report.num_items.toLocaleString() },
              { name: t('facts.annotated'), value: report.num_annotated.toLocaleString() },
              ...(isOfWhole
                ? [
                    {
                      name: t('facts.label_errors'),
                      value: shareOf(report) ?? t('facts.unknown'),
                      help: t('facts.label_errors_help'),
                    },
                  ]
                : []),
              {
                name: t('facts.features'),
                value: report.features === 'handmade' ? t('facts.handmade') : (FEATURES[report.features] ?? report.features),
                help: t('facts.features_help'),
              },
              { name: t('facts.took'), value: formatSeconds(report.seconds) },
            ]}
          />
        </Section>
        <Section title={t('notes.title')}>
          <ColumnWarnings />
          {leaks && leaks.count > 0 && (
            <Alert variant="light" color="red" icon={<IconInfoCircle size={18} />} p="sm" mb="xs">
              {t('notes.leaks', { count: leaks.count })}{' '}
              <Button variant="subtle" size="compact-xs" onClick={leaks.onShow}>
                {t('notes.show')}
              </Button>
            </Alert>
          )}
          {(report.notes.length > 0 || !leaks?.count) && <Notes notes={report.notes} doubts={doubts} />}
        </Section>
      </SimpleGrid>
      {rows.length > 0 && (
        <Section title={t('balance.title')} help={t('balance.help')}>
          <BarList title={t('balance.label')} columns={columns} rows={rows} initialSort={{ column: 'count', isDescending: true }} />
        </Section>
      )}
      {MEASURES.some((name) => report.histograms[name]) && (
        <Section title={t('measure.title')} help={t('measure.help')}>
          <div className={classes.histograms}>
            {MEASURES.map((name) => {
              const data = report.histograms[name]
              return data && data.counts.length > 0 ? <Histogram key={name} name={name} data={data} /> : null
            })}
          </div>
        </Section>
      )}
    </Stack>
  )
}

/** The share of wrong labels with its interval, which older reports lack; null where it is not known. */
function useShare() {
  const { t } = useTranslation('quality')
  return ({ label_error_fraction: share, label_error_interval: interval }: Report) => {
    if (share == null) return null
    const value = formatPercent(share)
    const [low, high] = interval ?? []
    if (low === undefined || high === undefined) return value
    return t('facts.label_errors_in', { value, low: formatPercent(low), high: formatPercent(high) })
  }
}

const IN_PERCENT: ReadonlySet<Note['code']> = new Set(['weak_model', 'rows_repeat'])

export function Notes({ notes, doubts }: { notes: readonly Note[]; doubts?: Open | undefined }) {
  const { t } = useTranslation('quality')
  const [showsAll, setShowsAll] = useState(false)
  if (notes.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('notes.none')}
      </Text>
    )
  }
  const text = (note: Note) =>
    t(`notes.${note.code}`, {
      label: note.label ?? '',
      split: note.split ? t(`charts:split.${note.split}`) : '',
      value: IN_PERCENT.has(note.code) ? formatPercent(note.value ?? 0) : String(note.value ?? ''),
      limit: String(note.limit ?? ''),
      count: note.limit ?? undefined,
    })
  return (
    <Alert variant="light" color="yellow" icon={<IconInfoCircle size={18} />} p="sm">
      <List size="sm" spacing={4} {...(notes.length === 1 && { listStyleType: 'none' })}>
        {notes.slice(0, showsAll ? undefined : NOTES_SHOWN).map((note) => (
          <List.Item key={`${note.code} ${note.label ?? ''} ${note.split ?? ''}`}>
            {text(note)}
            {note.code === 'wrong_labels_expected' && doubts !== undefined && doubts.count > 0 && (
              <Button variant="subtle" size="compact-xs" ml={4} onClick={doubts.onShow}>
                {t('notes.show')}
              </Button>
            )}
          </List.Item>
        ))}
      </List>
      {notes.length > NOTES_SHOWN && !showsAll && (
        <Button variant="subtle" size="compact-xs" mt={6} onClick={() => setShowsAll(true)}>
          {t('notes.more', { count: notes.length - NOTES_SHOWN })}
        </Button>
      )}
    </Alert>
  )
}
