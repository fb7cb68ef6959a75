import { Button, Group, MultiSelect, Popover, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ofLabels } from '../../../answers/annotations'
import type { Annotation, Label } from '../../../lib/api/types'

interface OtherAnswerProps {
  labels: readonly Label[]
  takesSeveral: boolean
  isBusy: boolean
  onDecide: (annotations: Annotation[]) => void
}

/** Decides a dispute by labels that nobody gave, or by none. */
export function OtherAnswer({ labels, takesSeveral, isBusy, onDecide }: OtherAnswerProps) {
  const { t } = useTranslation('team')
  const [isOpen, popover] = useDisclosure()
  const [chosen, setChosen] = useState<string[]>([])
  const decide = () => {
    popover.close()
    onDecide(ofLabels(chosen))
  }
  return (
    <Popover opened={isOpen} onChange={popover.toggle} position="bottom-start" width={280} trapFocus>
      <Popover.Target>
        <Button size="compact-xs" variant="default" disabled={isBusy} aria-expanded={isOpen} onClick={popover.toggle}>
          {t('dispute.other')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          <MultiSelect
            searchable
            size="xs"
            label={t('dispute.other_label')}
            description={t('dispute.other_text')}
            data={labels.map(({ name }) => name)}
            value={chosen}
            // Where one label is all that an item carries, the next takes the place of the last.
            onChange={(next) => setChosen(takesSeveral ? next : next.slice(-1))}
            comboboxProps={{ withinPortal: false }}
          />
          <Group justify="flex-end">
            <Button size="xs" loading={isBusy} onClick={decide}>
              {t('dispute.decide')}
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
