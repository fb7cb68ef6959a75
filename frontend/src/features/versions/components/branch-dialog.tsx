import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { useBranches, useRestoreStep } from '../api/restore'
import type { Version } from '../api/types'

interface BranchDialogProps {
  project: string
  version: Version
  onClose: () => void
}

/** Names a branch that begins at a version, and goes there. */
export function BranchDialog({ project, version, onClose }: BranchDialogProps) {
  const { t } = useTranslation('versions')
  const navigate = useNavigate()
  const branches = useBranches(project).data
  const step = useRestoreStep(project)
  const [name, setName] = useState('')
  const trimmed = name.trim()
  const isTaken = branches !== undefined && [branches.branch, ...branches.branches.map((branch) => branch.name)].includes(trimmed)
  return (
    <Modal opened onClose={onClose} title={t('branch.title', { number: version.number })} size="md">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          step.mutate(
            { kind: 'branch', name: trimmed, version: version.id },
            {
              onSuccess: () => {
                onClose()
                void navigate(`/projects/${project}/versions`)
              },
            },
          )
        }}
      >
        <Stack>
          <Text size="sm">{t('branch.text')}</Text>
          <TextInput
            data-autofocus
            label={t('branch.name')}
            placeholder={t('branch.placeholder')}
            maxLength={64}
            value={name}
            error={isTaken ? t('branch.taken') : undefined}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <Button type="submit" loading={step.isPending} disabled={trimmed === '' || isTaken}>
              {t('branch.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
