import { Alert, Badge, Button, Group, Modal, Paper, Select, Stack, Switch, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAlertTriangle, IconTarget } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useFailureText } from '../../../lib/failure-text'
import type { CellKind } from '../../../lib/table/cells'
import { type Columns, isLabelling } from '../../../lib/table/columns'
import { Progress } from '../../../ui/progress'
import { targetChoices } from '../model/changes'

interface TargetLineProps {
  table: Columns
  /** Of columns that may be predicted. */
  kinds: readonly CellKind[]
  canChange: boolean
  isBusy: boolean
  onChange: (column: string, keepsAnnotations: boolean) => void
}

/** Which column is predicted, how far its cells have become labels, and the way to another one. */
export function TargetLine({ table, kinds, canChange, isBusy, onChange }: TargetLineProps) {
  const { t } = useTranslation('columns')
  const [isOpen, dialog] = useDisclosure()
  const isRunning = isLabelling(table)
  const { job } = table
  const failureText = useFailureText()
  const failure = job?.state === 'failed' && job.error ? failureText(job.error) : null
  return (
    <>
      {failure && (
        <Alert color="red" variant="light" mb="md" icon={<IconAlertTriangle size={18} />} title={t('target.failed')}>
          {failure.message} {failure.hint}
        </Alert>
      )}
      {table.target !== null && (
        <Paper mb="md" py="sm">
          <Group justify="space-between" mih={34}>
            <Group gap="xs" wrap="nowrap" miw={0}>
              <IconTarget size={18} stroke={1.6} color="var(--mantine-primary-color-filled)" style={{ flex: 'none' }} />
              <Text size="sm" style={{ flex: 'none' }}>
                {t('target.is')}
              </Text>
              <Badge size="lg" maw={360}>
                {table.target}
              </Badge>
            </Group>
            {isRunning && job ? (
              <div style={{ flex: 1, maxWidth: 420 }}>
                <Progress fraction={job.progress_fraction} remainingSeconds={job.remaining_s} label={t('target.labelling')} />
              </div>
            ) : (
              canChange && (
                <Button variant="default" onClick={dialog.open}>
                  {t('target.change')}
                </Button>
              )
            )}
          </Group>
        </Paper>
      )}
      {isOpen && (
        <TargetDialog
          table={table}
          kinds={kinds}
          isBusy={isBusy}
          onClose={dialog.close}
          onChange={(column, keepsAnnotations) => {
            dialog.close()
            onChange(column, keepsAnnotations)
          }}
        />
      )}
    </>
  )
}

interface TargetDialogProps extends Omit<TargetLineProps, 'canChange'> {
  onClose: () => void
}

/** Asks before all rows are labelled anew. */
function TargetDialog({ table, kinds, isBusy, onClose, onChange }: TargetDialogProps) {
  const { t } = useTranslation('columns')
  const [chosen, setChosen] = useState<string | null>(table.target)
  const [keeps, setKeeps] = useState(true)
  return (
    <Modal opened onClose={onClose} title={t('target.change_title')}>
      <Stack gap="md">
        <Text size="sm">{t('target.change_text')}</Text>
        <Select
          label={t('target.label')}
          searchable
          data-autofocus
          value={chosen}
          data={targetChoices(table.columns, kinds).map(({ name }) => name)}
          onChange={setChosen}
        />
        <Switch
          label={t('target.keep')}
          description={t('target.keep_help')}
          checked={keeps}
          onChange={(event) => setKeeps(event.currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button
            disabled={chosen === null || chosen === table.target}
            loading={isBusy}
            onClick={() => chosen !== null && onChange(chosen, keeps)}
          >
            {t('target.relabel')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
