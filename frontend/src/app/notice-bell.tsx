import { ActionIcon, Button, Group, Indicator, Popover, ScrollArea, Text, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBell } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { useNotices, useNumUnread, useReadNotices } from '../lib/notices/notices'
import { LoadingState } from '../ui/loading-state'
import { NoticeList } from '../ui/notice-list'

const SHOWN = 8

/** How much is new, and the newest of it. */
export function NoticeBell() {
  const { t } = useTranslation('notices')
  const [isOpen, popover] = useDisclosure()
  const numUnread = useNumUnread().data ?? 0
  const notices = useNotices(SHOWN, isOpen)
  const read = useReadNotices()
  const rows = notices.data?.pages[0]?.items ?? []
  const label = numUnread > 0 ? t('open', { count: numUnread }) : t('title')
  return (
    <Popover opened={isOpen} onChange={popover.toggle} position="bottom-end" width={360} trapFocus>
      <Popover.Target>
        <Tooltip label={label} disabled={isOpen}>
          <Indicator disabled={numUnread === 0} label={numUnread > 99 ? '99+' : numUnread} size={15} offset={5} color="red">
            <ActionIcon
              aria-label={label}
              aria-expanded={isOpen}
              onClick={() => {
                if (!isOpen) void notices.refetch()
                popover.toggle()
              }}
            >
              <IconBell size={18} stroke={1.6} />
            </ActionIcon>
          </Indicator>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <Group justify="space-between" px={10} pb={4}>
          <Text fw={600} size="sm">
            {t('title')}
          </Text>
          {numUnread > 0 && (
            <Button size="compact-xs" variant="subtle" onClick={() => read.mutate(null)}>
              {t('read_all')}
            </Button>
          )}
        </Group>
        <ScrollArea.Autosize mah={420}>
          {notices.isPending && <LoadingState rows={3} height={40} />}
          {notices.data && rows.length === 0 && (
            <Text size="sm" c="dimmed" px={10} py="xs">
              {t('none')}
            </Text>
          )}
          <NoticeList notices={rows} onOpen={popover.close} />
        </ScrollArea.Autosize>
        <Button component={Link} to="/notices" variant="subtle" size="compact-sm" fullWidth mt={4} onClick={popover.close}>
          {t('all')}
        </Button>
      </Popover.Dropdown>
    </Popover>
  )
}
