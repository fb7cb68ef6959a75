import { Badge, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { formatFraction } from '../../../charts/format/format'
import { usePastedPicture } from '../../../lib/use-pasted-picture'
import { CopyButton } from '../../../ui/copy-button'
import { type Column, DataTable } from '../../../ui/data-table'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { Section } from '../../../ui/section'
import { type Form, type FormField, type TemplateDetail, useReadForm } from '../api/templates'
import type { FieldKind } from '../model/marks'
import { fieldsCsv, valuesJson, valueText } from '../model/written'
import { PictureField } from '../../../ui/picture-field'
import classes from './templates.module.css'

/** Another picture in, its fields out: over the picture, and as a table and files. */
export function TryPanel({ template }: { template: TemplateDetail }) {
  const { t } = useTranslation('templates')
  const [picture, setPicture] = useState<File | null>(null)
  const read = useReadForm(template.id)
  const ask = (file: File) => {
    setPicture(file)
    read.mutate(file)
  }
  usePastedPicture(ask)
  const url = useMemo(() => (picture ? URL.createObjectURL(picture) : null), [picture])
  useEffect(() => () => (url ? URL.revokeObjectURL(url) : undefined), [url])
  return (
    <Section title={t('try.title')} help={t('try.help')}>
      <Stack gap="sm">
        <PictureField label={t('try.drop')} picture={picture} onPicture={ask} hasPreview={false} />
        <div aria-live="polite">
          {read.isPending && <LoadingState rows={3} height={40} />}
          {read.isError && <ErrorState error={read.error} />}
          {read.data && (
            <SimpleGrid cols={{ base: 1, lg: 2 }}>
              {url && <Shown form={read.data} url={url} />}
              <Found form={read.data} />
            </SimpleGrid>
          )}
        </div>
      </Stack>
    </Section>
  )
}

function save(content: string, type: string, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([content], { type }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

function Shown({ form: { width, height, fields }, url }: { form: Form; url: string }) {
  const size = Math.max(width, height) / 60
  return (
    <div className={classes.shown}>
      <img src={url} alt="" />
      <svg className={classes.overlay} viewBox={`0 0 ${width} ${height}`} aria-hidden>
        {fields.map(({ name, points, problems }) => (
          <g key={name} style={{ color: problems.length ? '#e03131' : '#2b8a3e' }}>
            <polygon points={points.map((point) => point.join()).join(' ')} />
            <text x={points[0]?.[0]} y={(points[0]?.[1] ?? 0) - size / 4} fontSize={size}>
              {name}
            </text>
          </g>
        ))}
      </svg>
    </div>
  )
}

function Found({ form }: { form: Form }) {
  const { t } = useTranslation('templates')
  const json = valuesJson(form)
  const { found, total } = form.references
  return (
    <div>
      <Group justify="space-between" mb="xs">
        <Text size="sm" c="dimmed">
          {t('try.references', { found, total })}
        </Text>
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} />}
            onClick={() => save(fieldsCsv(form), 'text/csv', 'fields.csv')}
          >
            CSV
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} />}
            onClick={() => save(json, 'application/json', 'fields.json')}
          >
            JSON
          </Button>
          <CopyButton value={json} label={t('try.copy')} />
        </Group>
      </Group>
      <DataTable columns={useColumns()} rows={form.fields} rowKey={({ name }) => name} caption={t('try.title')} />
    </div>
  )
}

function useColumns(): Column<FormField>[] {
  const { t } = useTranslation('templates')
  return [
    {
      key: 'name',
      title: t('mark.name'),
      render: ({ name, kind }) => (
        <>
          <Text size="sm">{name}</Text>
          <Text size="xs" c="dimmed">
            {t(`kind.${kind as FieldKind}`)}
          </Text>
        </>
      ),
    },
    {
      key: 'value',
      title: t('try.value'),
      render: ({ value, text, problems }) => (
        <>
          <Text size="sm" fw={600} className={classes.text}>
            {valueText(value)}
          </Text>
          {text !== valueText(value) && (
            <Text size="xs" c="dimmed" className={classes.text}>
              {text}
            </Text>
          )}
          {problems.map(({ code }) => (
            <Badge key={code} color="red" variant="light">
              {t(`problem.${code as 'missing'}`)}
            </Badge>
          ))}
        </>
      ),
    },
    {
      key: 'confidence',
      title: t('try.confidence'),
      width: 90,
      align: 'right',
      render: ({ text, confidence }) => (text ? formatFraction(confidence) : ''),
    },
  ]
}
