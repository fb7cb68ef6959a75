import { Anchor, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useFileSizes } from '../api/get-files'
import type { Artefact } from '../api/types'

const FILES = ['model.onnx', 'weights.safetensors', 'artefact.json', 'report.json'] as const

/** The files of an artefact, to take away. */
export function ModelFiles({ artefact }: { artefact: Artefact }) {
  const { t } = useTranslation('models')
  const sizes = useFileSizes(artefact.id)
  return (
    <Table verticalSpacing="xs" maw={760}>
      <Table.Tbody>
        {FILES.map((name) => (
          <Table.Tr key={name}>
            <Table.Td>
              <Anchor href={`/api/artefacts/${artefact.id}/files/${name}`} download ff="monospace" size="sm">
                {name}
              </Anchor>
            </Table.Td>
            <Table.Td>
              {/* File names hold dots, which would be read as levels of the dictionary. */}
              <Text size="sm" c="dimmed">
                {t(`files.help.${name.replace('.', '_')}`)}
              </Text>
            </Table.Td>
            <Table.Td ta="right" w={90}>
              <Text size="sm">{sizes.get(name)}</Text>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
