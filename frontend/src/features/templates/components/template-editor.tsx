import { Alert, Button, Group, Text, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { CanvasWorkspace } from '../../../canvas/react/canvas-workspace'
import { useLoadedPicture } from '../../../lib/use-loaded-picture'
import { type TemplateDetail, useSaveTemplate } from '../api/templates'
import { faultOf } from '../model/marks'
import { MarkPanel } from './mark-panel'
import classes from './templates.module.css'
import { useMarks } from './use-marks'

const TOOLS = ['select', 'pan', 'box'] as const

interface TemplateEditorProps {
  template: TemplateDetail
  canChange: boolean
}

/** References and fields, drawn on the picture; lines that were read there are chosen by a click. */
export function TemplateEditor({ template, canChange }: TemplateEditorProps) {
  const { t } = useTranslation('templates')
  const marks = useMarks(template, canChange)
  const picture = useLoadedPicture(template.picture_url)
  const save = useSaveTemplate(template.id)
  const [name, setName] = useState(template.name)
  const [saved, setSaved] = useState(() => ({ name: template.name, content: JSON.stringify(marks.content) }))
  const content = JSON.stringify(marks.content)
  const fault = faultOf(marks.content)
  const isChanged = content !== saved.content || name.trim() !== saved.name
  useEffect(() => {
    if (!isChanged) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isChanged])
  const submit = () =>
    save.mutate(
      { name: name.trim(), version: template.version, ...marks.content },
      { onSuccess: () => setSaved({ name: name.trim(), content }) },
    )
  return (
    <>
      {canChange && (
        <Group mb="xs" align="flex-end" gap="sm">
          <TextInput
            size="xs"
            w={260}
            label={t('form.name')}
            maxLength={120}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button size="xs" loading={save.isPending} disabled={!isChanged || fault !== null || !name.trim()} onClick={submit}>
            {t('save')}
          </Button>
          <Text size="sm" mb={5} c={fault ? 'red' : 'dimmed'} aria-live="polite">
            {fault ? t(`fault.${fault}`) : isChanged ? t('unsaved') : t('saved')}
          </Text>
        </Group>
      )}
      {picture.isBroken && <Alert color="red">{t('common:picture_broken')}</Alert>}
      <div className={classes.area}>
        <CanvasWorkspace
          editor={marks.editor}
          image={picture.image}
          tools={TOOLS}
          panel={<MarkPanel marks={marks} canChange={canChange} />}
        />
      </div>
    </>
  )
}
