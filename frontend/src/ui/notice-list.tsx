import { Text, VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { useLocalText } from '../lib/local-text'
import { type Notice, useReadNotices } from '../lib/notices/notices'
import { chooseWorkspace, useMe } from '../lib/session/session'
import classes from './notice-list.module.css'
import { RelativeTime } from './relative-time'

interface NoticeListProps {
  notices: readonly Notice[]
  onOpen?: () => void
}

/** Notices, each a link to what it is about; to open one is to have read it. */
export function NoticeList({ notices, onOpen }: NoticeListProps) {
  const { t } = useTranslation('notices')
  const inWords = useLocalText()
  const read = useReadNotices()
  const hasSeveral = (useMe().data?.workspaces.length ?? 0) > 1
  const open = (notice: Notice) => {
    chooseWorkspace(notice.workspace)
    if (!notice.read_at) read.mutate([notice.id])
    onOpen?.()
  }
  return (
    <ul className={classes.list}>
      {notices.map((notice) => (
        <li key={notice.id}>
          <Link to={notice.path} className={classes.notice} onClick={() => open(notice)}>
            <span className={classes.dot} data-unread={!notice.read_at || undefined}>
              {!notice.read_at && <VisuallyHidden>{t('unread')}</VisuallyHidden>}
            </span>
            <div>
              <Text size="sm" fw={notice.read_at ? 400 : 500} className={classes.text}>
                {inWords(notice.text)}
              </Text>
              <Text size="xs" c="dimmed">
                <RelativeTime value={notice.at} />
                {hasSeveral && ` · ${notice.workspace_name}`}
              </Text>
            </div>
          </Link>
        </li>
      ))}
    </ul>
  )
}
