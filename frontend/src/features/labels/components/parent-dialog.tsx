import { Button, Group, Modal, Select, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { Label } from '../../../lib/api/types'
import { afterMutation } from '../../../lib/after-mutation'
import { possibleParents } from '../model/tree'

interface ParentDialogProps {
  labels: readonly Label[]
  label: Label
  isBusy: boolean
  onSave: (parent: string | null) => Promise<unknown>
  onClose: () => void
}

/** Hangs a label below another one. */
export function ParentDialog({ labels, label, isBusy, onSave, onClose }: ParentDialogProps) {
  const { t } = useTranslation('labels')
  const [parent, setParent] = useState<string | null>(label.parent ?? null)
  return (
    <Modal opened onClose={onClose} title={t('parent.title', { name: label.name })}>
      <Stack>
        <Select
          data-autofocus
          openOnFocus={false}
          clearable
          searchable
          label={t('parent.label')}
          description={t('parent.text')}
          placeholder={t('parent.none')}
          data={possibleParents(labels, label.name)}
          value={parent}
          onChange={setParent}
          comboboxProps={{ withinPortal: true }}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button loading={isBusy} onClick={() => afterMutation(onSave(parent), onClose)}>
            {t('common:save')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
