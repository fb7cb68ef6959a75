import { Button, Drawer, FileButton, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { Editor } from '../../../canvas/editor'
import { useSignal } from '../../../canvas/react/use-signal'
import { CopyButton } from '../../../ui/copy-button'
import { readText, textOf } from '../model/document-file'
import classes from './playground.module.css'

interface JsonDrawerProps {
  editor: Editor
  opened: boolean
  onClose: () => void
}

/** What is drawn, in the platform's words: to read, to take along, to bring back. */
export function JsonDrawer({ editor, opened, onClose }: JsonDrawerProps) {
  const { t } = useTranslation('playground')
  return (
    <Drawer opened={opened} onClose={onClose} position="right" size="lg" title={t('json.title')}>
      {opened && <JsonForm editor={editor} onDone={onClose} />}
    </Drawer>
  )
}

function JsonForm({ editor, onDone }: { editor: Editor; onDone: () => void }) {
  const { t } = useTranslation('playground')
  useSignal(editor.changed)
  const [edited, setEdited] = useState<string | null>(null)
  const text = edited ?? textOf(editor.viewport.picture, editor.labels, editor.document.objects())
  const read = edited === null ? null : readText(edited)
  const load = () => {
    if (!read) return
    if (read.labels.length > 0) editor.setLabels(read.labels)
    editor.commit([
      ...editor.document.order.map((id) => ({ type: 'remove', id }) as const),
      ...read.objects.map((object, index) => ({ type: 'add', object, above: read.objects[index - 1]?.id ?? null }) as const),
    ])
    onDone()
  }
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('json.text')}
      </Text>
      <Textarea
        aria-label={t('json.title')}
        className={classes.json}
        autosize={false}
        rows={24}
        spellCheck={false}
        value={text}
        onChange={(event) => setEdited(event.currentTarget.value)}
        error={edited !== null && !read ? t('json.broken') : undefined}
      />
      <Group justify="space-between">
        <Group gap="xs">
          <CopyButton value={text} />
          <Button variant="default" leftSection={<IconDownload size={15} />} onClick={() => save(text)}>
            {t('json.save')}
          </Button>
          <FileButton accept="application/json" onChange={(file) => void file?.text().then(setEdited)}>
            {(props) => (
              <Button variant="default" leftSection={<IconUpload size={15} />} {...props}>
                {t('json.file')}
              </Button>
            )}
          </FileButton>
        </Group>
        <Button disabled={!read} onClick={load}>
          {t('json.load')}
        </Button>
      </Group>
    </Stack>
  )
}

function save(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: 'drawing.json' })
  link.click()
  URL.revokeObjectURL(url)
}
