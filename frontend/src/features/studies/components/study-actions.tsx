import { Button, Group, Menu, Modal, NumberInput, Stack, Text, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useHasRole } from '../../../lib/session/session'
import { afterMutation } from '../../../lib/after-mutation'
import { confirm } from '../../../ui/confirm'
import { ErrorState } from '../../../ui/error-state'
import { notifyDone } from '../../../ui/notify'
import { useExtendStudy, useStudyAction } from '../api/change-study'
import type { Study } from '../api/types'

/** Pause, finish or cancel while it runs; more trials unless it was cancelled. */
export function StudyActions({ study }: { study: Study }) {
  const { t } = useTranslation('studies')
  const [isOpen, dialog] = useDisclosure()
  const cancel = useStudyAction(study.id, 'cancel')
  const finish = useStudyAction(study.id, 'finish')
  const isEngineer = useHasRole('engineer')
  if (!isEngineer) return <HistoryMenu study={study.id} />
  const askCancel = () =>
    confirm({
      title: t('detail.cancel_title'),
      children: t('detail.cancel_text'),
      confirm: t('detail.cancel'),
      isDangerous: true,
      onConfirm: () => afterMutation(cancel.mutateAsync(), () => notifyDone(t('detail.cancelled'))),
    })
  const askFinish = () =>
    confirm({
      title: t('detail.finish_title'),
      children: t('detail.finish_text'),
      confirm: t('detail.finish'),
      onConfirm: () => afterMutation(finish.mutateAsync(), () => notifyDone(t('detail.finishing'))),
    })
  return (
    <>
      <HistoryMenu study={study.id} />
      {!['single', 'distill'].includes(study.strategy) && study.state !== 'cancelled' && (
        <Button variant="default" onClick={dialog.open}>
          {t('detail.extend')}
        </Button>
      )}
      {study.state === 'running' && !study.is_finishing && <PauseButton study={study} />}
      {study.state === 'running' && !study.paused_at && (
        <Button variant="default" disabled={study.is_finishing} loading={finish.isPending} onClick={askFinish}>
          {t(study.is_finishing ? 'detail.finishing' : 'detail.finish')}
        </Button>
      )}
      {study.state === 'running' && (
        <Button variant="default" loading={cancel.isPending} onClick={askCancel}>
          {t('detail.cancel')}
        </Button>
      )}
      {isOpen && <ExtendDialog study={study} onClose={dialog.close} />}
    </>
  )
}

function PauseButton({ study }: { study: Study }) {
  const { t } = useTranslation('studies')
  const pause = useStudyAction(study.id, 'pause')
  const resume = useStudyAction(study.id, 'resume')
  return study.paused_at ? (
    <Button
      leftSection={<IconPlayerPlay size={16} />}
      loading={resume.isPending}
      onClick={() => afterMutation(resume.mutateAsync(), () => notifyDone(t('detail.resumed')))}
    >
      {t('detail.resume')}
    </Button>
  ) : (
    <Tooltip label={t('detail.pause_help')} multiline maw={280}>
      <Button
        variant="default"
        leftSection={<IconPlayerPause size={16} />}
        loading={pause.isPending}
        onClick={() => afterMutation(pause.mutateAsync(), () => notifyDone(t('detail.paused')))}
      >
        {t('detail.pause')}
      </Button>
    </Tooltip>
  )
}

/** The trials as a file. */
function HistoryMenu({ study }: { study: string }) {
  const { t } = useTranslation('studies')
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default">{t('detail.history')}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(['csv', 'optuna', 'tensorboard'] as const).map((format) => (
          <Menu.Item key={format} component="a" href={`/api/studies/${study}/history?format=${format}`} download>
            {t(`detail.history_${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function ExtendDialog({ study, onClose }: { study: Study; onClose: () => void }) {
  const { t } = useTranslation('studies')
  const [count, setCount] = useState(8)
  const extend = useExtendStudy(study.id)
  return (
    <Modal opened onClose={onClose} title={t('detail.extend')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          afterMutation(extend.mutateAsync(study.max_trials + count, { onSuccess: onClose }), () => notifyDone(t('detail.extended')))
        }}
      >
        <Stack>
          <Text size="sm" c="dimmed">
            {t('detail.extend_text')}
          </Text>
          <NumberInput
            label={t('detail.extend_count')}
            min={1}
            max={500 - study.max_trials}
            allowDecimal={false}
            value={count}
            onChange={(value) => setCount(Number(value) || 1)}
            data-autofocus
          />
          {extend.isError && <ErrorState error={extend.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <Button type="submit" loading={extend.isPending}>
              {t('detail.extend')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
