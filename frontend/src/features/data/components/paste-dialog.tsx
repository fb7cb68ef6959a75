import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { formatNumber } from '../../../lib/format'
import type { IncomingFile } from '../../../lib/upload/incoming'
import { tableOf, textsOfLines } from '../model/pasted-texts'

interface PasteDialogProps {
  opened: boolean
  onClose: () => void
  /** Gets the table to upload. */
  onTexts: (files: IncomingFile[]) => void
}

/** Texts written or pasted right here, one a line; they travel like a file that was dropped. */
export function PasteDialog({ opened, onClose, onTexts }: PasteDialogProps) {
  const { t } = useTranslation('data')
  const [pasted, setPasted] = useState('')
  const texts = textsOfLines(pasted)
  const numLabelled = texts.filter(({ label }) => label !== undefined).length
  const take = () => {
    const file = tableOf(texts, new Date())
    onTexts([{ file, path: file.name, isSeen: true }])
    setPasted('')
    onClose()
  }
  return (
    <Modal opened={opened} onClose={onClose} title={t('paste.title')} size="xl">
      <Stack gap="sm">
        <Textarea
          label={t('paste.label')}
          description={t('paste.help')}
          autosize
          minRows={10}
          maxRows={20}
          data-autofocus
          value={pasted}
          onChange={(event) => setPasted(event.currentTarget.value)}
          onKeyDown={(event) => (event.ctrlKey || event.metaKey) && event.key === 'Enter' && texts.length > 0 && take()}
        />
        <Group justify="space-between">
          <Text size="sm" c="dimmed" aria-live="polite">
            {t('paste.count', { count: texts.length, shown: formatNumber(texts.length) })}
            {numLabelled > 0 && ` · ${t('paste.labelled', { shown: formatNumber(numLabelled) })}`}
          </Text>
          <Group gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <Button disabled={texts.length === 0} onClick={take}>
              {t('paste.take')}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Modal>
  )
}
