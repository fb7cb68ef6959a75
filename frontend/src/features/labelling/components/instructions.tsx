import { Popover, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconInfoCircle } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import classes from './instructions.module.css'

/** What a campaign asks of its people, at hand while they label; open when they begin, until their first answer. */
export function Instructions({ text, isOpenAtFirst }: { text: string; isOpenAtFirst: boolean }) {
  const { t } = useTranslation('labelling')
  const [isOpen, popover] = useDisclosure(isOpenAtFirst)
  const { close } = popover
  useEffect(() => {
    if (!isOpenAtFirst) close()
  }, [isOpenAtFirst, close])
  if (!text) return null
  return (
    <Popover opened={isOpen} onChange={popover.toggle} position="bottom-start" width={420} closeOnClickOutside={!isOpenAtFirst}>
      <Popover.Target>
        <UnstyledButton className={classes.open} aria-expanded={isOpen} onClick={popover.toggle}>
          <IconInfoCircle size={15} />
          {t('shared.instructions')}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <Text size="sm" className={classes.text}>
          {text}
        </Text>
      </Popover.Dropdown>
    </Popover>
  )
}
