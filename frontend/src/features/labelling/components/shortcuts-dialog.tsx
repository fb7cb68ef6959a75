import { Group, Modal, Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { KeyHint } from '../../../ui/key-hint'

const KEYS = [
  ['pick', ['1', '…', '9']],
  ['nothing', ['0']],
  ['clear', ['⌫']],
  ['accept', ['A']],
  ['next', ['Enter', 'Space', '→']],
  ['previous', ['←']],
  ['undo', ['U']],
  ['redo', ['⇧ U']],
  ['search', ['/']],
  ['help', ['?']],
] as const

/** All keys of the editor. */
export function ShortcutsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('labelling')
  return (
    <Modal opened={opened} onClose={onClose} title={t('keys.title')} size="sm">
      <Table highlightOnHover={false}>
        <Table.Tbody>
          {KEYS.map(([name, keys]) => (
            <Table.Tr key={name}>
              <Table.Td w={130}>
                <Group gap={4}>
                  {keys.map((key) => (
                    <KeyHint key={key}>{key}</KeyHint>
                  ))}
                </Group>
              </Table.Td>
              <Table.Td>{t(`keys.${name}`)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  )
}
