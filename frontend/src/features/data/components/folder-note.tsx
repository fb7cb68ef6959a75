import { Button, Group, Text } from '@mantine/core'
import { IconFolder } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { useAnswerKind } from '../../../answers'
import { ofLabels } from '../../../answers/annotations'
import type { Project } from '../../../lib/api/types'
import { withNewLabels } from '../../../lib/labels/label-colors'
import { useSetLabels } from '../../../lib/labels/set-labels'
import { notifyDone } from '../../../ui/notify'
import { useChangeItems } from '../api/change-items'
import { looseSource } from '../model/label-source'
import type { Transfer } from '../model/transfer'

const NAMED = 5

interface FolderNoteProps {
  project: Project
  transfer: Readonly<Transfer>
  /** The question is settled. */
  onSettled: () => void
}

/** Whether the folders of a drop became its labels, and the way to have it otherwise: nobody was asked before. */
export function FolderNote({ project, transfer, onSettled }: FolderNoteProps) {
  const { t } = useTranslation('data')
  const change = useChangeItems(project.id, project.dataset)
  const setLabels = useSetLabels(project.id)
  const { isOfWhole } = useAnswerKind()
  const { folders, items } = transfer
  const isTaken = looseSource(transfer.labels) === 'folder'
  const names = [...folders.slice(0, NAMED), ...(folders.length > NAMED ? ['…'] : [])]
  const [only] = folders
  const relabel = async () => {
    const label = isTaken ? null : (only ?? null)
    if (label !== null) await setLabels.mutateAsync((before) => withNewLabels(before, [label]))
    const annotations = label === null ? null : ofLabels([label])
    const { num } = await change.mutateAsync({ change: { kind: 'label', annotations }, target: { items } })
    notifyDone(t(isTaken ? 'folders.removed' : 'bulk.label', { count: num }))
    onSettled()
  }
  // Without labels of whole items, folders are only folders. Where there are several, the person has declared that they are no labels.
  if (items.length === 0 || folders.length === 0 || !isOfWhole || (!isTaken && folders.length > 1)) return null
  return (
    <Group gap="xs">
      <IconFolder size={16} aria-hidden />
      <Text size="sm">{t(isTaken ? 'folders.taken' : 'folders.left', { count: folders.length, names })}</Text>
      <Button
        variant="subtle"
        size="compact-xs"
        loading={change.isPending || setLabels.isPending}
        onClick={() => void relabel().catch(() => undefined)}
      >
        {isTaken ? t('folders.remove') : t('folders.use', { name: only })}
      </Button>
    </Group>
  )
}
