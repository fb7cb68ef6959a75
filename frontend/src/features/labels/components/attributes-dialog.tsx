import { ActionIcon, Button, Group, Modal, Select, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { Label } from '../../../lib/api/types'
import { afterMutation } from '../../../lib/after-mutation'
import { attributesComplete, emptyAttribute, KINDS, type LabelAttribute } from '../model/attributes'

interface AttributesDialogProps {
  label: Label
  isBusy: boolean
  onSave: (attributes: LabelAttribute[]) => Promise<unknown>
  onClose: () => void
}

/** What objects of a label can be asked about: occluded, colour, number. */
export function AttributesDialog({ label, isBusy, onSave, onClose }: AttributesDialogProps) {
  const { t } = useTranslation('labels')
  const [rows, setRows] = useState<LabelAttribute[]>(label.attributes?.length ? label.attributes : [emptyAttribute()])
  const change = (index: number, field: Partial<LabelAttribute>) =>
    setRows(rows.map((row, at) => (at === index ? { ...row, ...field } : row)))
  const complete = attributesComplete(rows)
  return (
    <Modal opened onClose={onClose} title={t('attribute.title', { name: label.name })} size="lg">
      <Stack>
        <Text size="sm" c="dimmed">
          {t('attribute.text')}
        </Text>
        {rows.map((row, index) => (
          <Group key={index} gap="xs" align="flex-end" wrap="nowrap">
            <TextInput
              data-autofocus={index === 0 || undefined}
              flex={1}
              label={t('attribute.name')}
              value={row.name}
              onChange={(event) => change(index, { name: event.currentTarget.value })}
            />
            <Select
              w={130}
              label={t('attribute.kind')}
              data={KINDS.map((value) => ({ value, label: t(value === 'text' ? 'attribute.text_kind' : `attribute.${value}`) }))}
              value={row.kind}
              allowDeselect={false}
              onChange={(kind) => change(index, { kind: kind as LabelAttribute['kind'] })}
            />
            {row.kind === 'choice' && (
              <TagsInput
                flex={1.4}
                label={t('attribute.choices')}
                value={row.choices}
                onChange={(choices) => change(index, { choices })}
                splitChars={[',', '，']}
              />
            )}
            <ActionIcon mb={4} aria-label={t('attribute.remove')} onClick={() => setRows(rows.filter((_, at) => at !== index))}>
              <IconTrash size={15} />
            </ActionIcon>
          </Group>
        ))}
        <div>
          <Button variant="subtle" leftSection={<IconPlus size={14} />} onClick={() => setRows([...rows, emptyAttribute()])}>
            {t('attribute.more')}
          </Button>
        </div>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button disabled={complete === null} loading={isBusy} onClick={() => complete && afterMutation(onSave(complete), onClose)}>
            {t('common:save')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
