import { ActionIcon, Button, Group, Progress, Text, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp, IconHistory, IconKeyboard, IconTags } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import type { Project } from '../../../lib/api/types'
import { useSummary } from '../../../lib/dataset/summary'
import { useKeyHints } from '../../../lib/shortcuts/use-shortcuts'
import { BackLink } from '../../../ui/back-link'
import { PageHeader } from '../../../ui/page-header'
import { useMyCampaign } from '../api/my-campaign'
import type { AutosaveState } from '../model/autosave'
import type { LabellingState } from '../model/labelling-session'
import { Instructions } from './instructions'
import { SaveState } from './save-state'

interface EditorHeaderProps {
  project: Project
  campaign: string | null
  state: LabellingState
  saving: AutosaveState
  canChangeLabels: boolean
  /** The page's keys. */
  scope: string
  /** Absent where what is drawn has a history of its own. */
  onUndo?: () => void
  onRedo?: () => void
  onHistory: () => void
  /** Absent where the keys are shown elsewhere. */
  onHelp?: () => void
  onSignIn: () => void
}

/** How far the work is, whether it has arrived, and what is done to it as a whole. */
export function EditorHeader({ project, campaign, state, saving, canChangeLabels, scope, ...on }: EditorHeaderProps) {
  const { t } = useTranslation('labelling')
  const hint = useKeyHints(scope)
  return (
    <PageHeader
      title={t('title')}
      subtitle={campaign ? <ShareProgress campaign={campaign} /> : <LabelProgress dataset={project.dataset} />}
      actions={
        <>
          <BackLink />
          <SaveState state={saving} onSignIn={on.onSignIn} />
          {on.onUndo && (
            <IconAction label={t('keys.undo')} hint={hint('undo')} isDisabled={!state.canUndo} onClick={on.onUndo}>
              <IconArrowBackUp size={18} />
            </IconAction>
          )}
          {on.onRedo && (
            <IconAction label={t('keys.redo')} hint={hint('redo')} isDisabled={!state.canRedo} onClick={on.onRedo}>
              <IconArrowForwardUp size={18} />
            </IconAction>
          )}
          {!campaign && (
            <IconAction label={t('history.title')} hint={hint('history')} isDisabled={!state.item} onClick={on.onHistory}>
              <IconHistory size={18} />
            </IconAction>
          )}
          {on.onHelp && (
            <IconAction label={t('keys.open')} hint={hint('help')} onClick={on.onHelp}>
              <IconKeyboard size={18} />
            </IconAction>
          )}
          {canChangeLabels && (
            <Button variant="default" component={Link} to={`/projects/${project.id}/labelling/labels`} leftSection={<IconTags size={14} />}>
              {t('edit_labels')}
            </Button>
          )}
        </>
      }
    />
  )
}

/** The campaign's name and how much of one's share is done. */
function ShareProgress({ campaign }: { campaign: string }) {
  const { t } = useTranslation('labelling')
  const share = useMyCampaign(campaign).data
  if (!share) return null
  return (
    <Group gap="sm" component="span">
      <Text span inherit>
        {t('shared.progress', { title: share.title, mine: share.num_mine, open: share.num_open })}
      </Text>
      <Instructions text={share.instructions} isOpenAtFirst={share.num_mine === 0} />
    </Group>
  )
}

function LabelProgress({ dataset }: { dataset: string }) {
  const { t } = useTranslation('labelling')
  const { annotated = 0, items = 0 } = useSummary(dataset).data ?? {}
  return (
    <Group gap="sm" wrap="nowrap">
      <Progress w={180} size="sm" value={items ? (100 * annotated) / items : 0} aria-label={t('progress', { annotated, items })} />
      <Text span inherit>
        {t('progress', { annotated, items })}
      </Text>
    </Group>
  )
}

interface IconActionProps {
  label: string
  hint?: string
  isDisabled?: boolean
  onClick: () => void
  children: ReactNode
}

function IconAction({ label, hint, isDisabled, onClick, children }: IconActionProps) {
  return (
    <Tooltip label={hint ? `${label} (${hint})` : label}>
      <ActionIcon aria-label={label} disabled={isDisabled} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  )
}
