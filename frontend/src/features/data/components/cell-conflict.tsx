import { Box, Button, Modal, SimpleGrid, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { CellText } from '../../../ui/cell-text'
import type { CellEdit } from '../model/cell-edits'
import classes from './row-grid.module.css'

interface CellConflictProps {
  edit: CellEdit
  /** Both stay as they are until the cell is opened again. */
  onLater: () => void
  onResolve: (choice: 'mine' | 'theirs') => void
}

/** Somebody else changed the same cell meanwhile: both values side by side, and a person decides. */
export function CellConflict({ edit, onLater, onResolve }: CellConflictProps) {
  const { t } = useTranslation('cells')
  return (
    <Modal opened onClose={onLater} returnFocus={false} title={t('conflict.title')}>
      <Text size="sm" mb="md" lineClamp={4}>
        {t('conflict.text', { column: edit.column, before: edit.before || t('empty') })}
      </Text>
      <SimpleGrid cols={2}>
        {(['mine', 'theirs'] as const).map((side) => (
          <Stack key={side} gap="xs" justify="space-between">
            <Text size="sm" fw={600}>
              {t(`conflict.${side}`)}
            </Text>
            <Box className={classes.side} tabIndex={0} role="region" aria-label={t(`conflict.${side}`)}>
              <Whole cell={side === 'mine' ? edit.text : edit.theirs} />
            </Box>
            <Button
              variant={side === 'mine' ? 'filled' : 'default'}
              data-autofocus={side === 'mine' || undefined}
              onClick={() => onResolve(side)}
            >
              {t(`conflict.keep_${side}`)}
            </Button>
          </Stack>
        ))}
      </SimpleGrid>
    </Modal>
  )
}

const Whole = ({ cell }: { cell: string | undefined }) => (cell ? <span dir="auto">{cell}</span> : <CellText cell={null} />)
