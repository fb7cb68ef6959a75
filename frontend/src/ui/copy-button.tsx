import { ActionIcon, CopyButton as Copy, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

/** Copies a text and confirms it. */
export function CopyButton({ value, label }: { value: string; label?: string }) {
  const { t } = useTranslation('common')
  return (
    <Copy value={value}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t('copied') : (label ?? t('copy'))}>
          <ActionIcon onClick={copy} aria-label={label ?? t('copy')} color={copied ? 'teal' : 'gray'}>
            {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          </ActionIcon>
        </Tooltip>
      )}
    </Copy>
  )
}
