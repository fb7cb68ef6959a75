import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { saveFile } from '../../../lib/save-file'
import { usePastedPicture } from '../../../lib/use-pasted-picture'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { PictureField } from '../../../ui/picture-field'
import { Section } from '../../../ui/section'
import { SampleButton } from '../../../ui/try-out/sample-button'
import { pictureOf } from '../../../ui/try-out/use-sample'
import { type Shelf, type ShelfCheck, useCheck } from '../api/shelves'
import { coloursOf, reportCsv } from '../model/report'
import { AddPacks } from './add-packs'
import { PlanPanel } from './plan-panel'
import { ProductTable } from './product-table'
import { ShelfPhoto } from './shelf-photo'

interface CheckPanelProps {
  shelf: Shelf
  canChange: boolean
}

/** A photo in; its packs with their names, and the report. */
export function CheckPanel({ shelf, canChange }: CheckPanelProps) {
  const { t } = useTranslation('shelves')
  const [photo, setPhoto] = useState<File | null>(null)
  const check = useCheck(shelf.id)
  const ask = (file: File) => {
    setPhoto(file)
    check.mutate(file)
  }
  usePastedPicture(ask)
  const again = () => photo && check.mutate(photo)
  return (
    <Stack>
      <Section title={t('check.title')} help={t('check.help')}>
        <Stack gap="sm">
          <PictureField label={t('check.drop')} picture={photo} onPicture={ask} hasPreview={false} />
          <Group gap="xs">
            <SampleButton isDisabled={check.isPending} read={pictureOf} onSample={ask} />
          </Group>
          <div aria-live="polite">
            {check.isPending && <LoadingState rows={2} height={160} />}
            {check.isError && <ErrorState error={check.error} onRetry={again} />}
            {check.data && photo && !check.isPending && (
              <Checked key={check.submittedAt} shelf={shelf} check={check.data} photo={photo} canChange={canChange} onAdded={again} />
            )}
          </div>
        </Stack>
      </Section>
      <PlanPanel shelf={shelf} report={check.isPending ? undefined : check.data?.report} canChange={canChange} onChanged={again} />
    </Stack>
  )
}

interface CheckedProps {
  shelf: Shelf
  check: ShelfCheck
  photo: File
  canChange: boolean
  onAdded: () => void
}

function Checked({ shelf, check, photo, canChange, onAdded }: CheckedProps) {
  const { t } = useTranslation('shelves')
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [focus, setFocus] = useState<string | null>()
  const url = useMemo(() => URL.createObjectURL(photo), [photo])
  useEffect(() => () => URL.revokeObjectURL(url), [url])
  const { report } = check
  const colours = useMemo(() => coloursOf(report), [report])
  const choose = (place: number) =>
    setChosen((before) => new Set(before.has(place) ? [...before].filter((other) => other !== place) : [...before, place]))
  if (check.packs.length === 0) return <Text size="sm">{t('check.nothing')}</Text>
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Stack gap="xs" miw={0}>
        <ShelfPhoto url={url} check={check} colours={colours} chosen={chosen} onChoose={choose} focus={focus} />
        {canChange && (
          <AddPacks
            shelf={shelf}
            photo={photo}
            packs={check.packs.filter((_, place) => chosen.has(place))}
            names={report.products.map(({ name }) => name)}
            onAdded={onAdded}
            onClear={() => setChosen(new Set())}
          />
        )}
      </Stack>
      <Stack gap="xs" miw={0}>
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {t('report.counts', { packs: report.num_packs, facings: report.num_facings, rows: report.num_rows })}
          </Text>
          <Group gap="xs">
            <SaveButton label="CSV" onClick={() => saveFile(reportCsv(check), 'text/csv', 'shelf.csv')} />
            <SaveButton label="JSON" onClick={() => saveFile(JSON.stringify(check, null, 2), 'application/json', 'shelf.json')} />
          </Group>
        </Group>
        <ProductTable report={report} colours={colours} onFocus={(name) => setFocus(focus === name ? undefined : name)} />
      </Stack>
    </SimpleGrid>
  )
}

function SaveButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button size="xs" variant="default" leftSection={<IconDownload size={14} />} onClick={onClick}>
      {label}
    </Button>
  )
}
