import { Tooltip, UnstyledButton } from '@mantine/core'
import { IconMessage } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import classes from './comments.module.css'

/** How many comments of a picture are open, on its card; leads to them. */
export function CommentBadge({ count, onOpen }: { count: number | undefined; onOpen: () => void }) {
  const { t } = useTranslation('comments')
  if (!count) return null
  return (
    <Tooltip label={t('num_open', { count })}>
      <UnstyledButton
        className={classes.badge}
        tabIndex={-1}
        aria-label={t('num_open', { count })}
        onClick={(event) => {
          event.stopPropagation()
          onOpen()
        }}
        onDoubleClick={(event) => event.stopPropagation()}
      >
        <IconMessage size={12} stroke={2.2} />
        {count}
      </UnstyledButton>
    </Tooltip>
  )
}
