import { Kbd, Modal, Text } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { Command as List } from 'cmdk'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useParams } from 'react-router'

import type { Me } from '../../lib/api/types'
import { useMe } from '../../lib/session/session'
import { type Command, found, sections } from './command'
import { pageActions } from './page-actions'
import classes from './palette.module.css'
import { recentPages } from './recent'
import { useGeneralCommands, useProjectPageCommands, useWorkspacePages } from './use-commands'
import { usePlaces } from './use-places'

interface PaletteProps {
  isOpen: boolean
  onClose: () => void
}

/** Goes to any page or thing, and does what the page at hand offers, by a few letters. */
export default function Palette({ isOpen, onClose }: PaletteProps) {
  const { t } = useTranslation('palette')
  const { project } = useParams()
  const me = useMe().data
  // Whoever has chosen something is elsewhere: the focus does not go back.
  const [isLeft, setIsLeft] = useState(false)
  const choose = (command: Command) => {
    setIsLeft(true)
    onClose()
    command.run()
  }
  const Choices = project ? ProjectChoices : WorkspaceChoices
  return (
    <Modal.Root
      opened={isOpen && me !== undefined}
      onClose={onClose}
      returnFocus={!isLeft}
      onEnterTransitionEnd={() => setIsLeft(false)}
      centered={false}
      padding={0}
      size={620}
      yOffset="12dvh"
    >
      <Modal.Overlay backgroundOpacity={0.35} blur={1} />
      <Modal.Content aria-label={t('title')}>{me && <Choices me={me} onChoose={choose} />}</Modal.Content>
    </Modal.Root>
  )
}

interface ChoicesProps {
  me: Me
  onChoose: (command: Command) => void
}

function ProjectChoices(props: ChoicesProps) {
  return <Choices {...props} projectPages={useProjectPageCommands()} />
}

function WorkspaceChoices(props: ChoicesProps) {
  return <Choices {...props} projectPages={[]} />
}

function Choices({ me, onChoose, projectPages }: ChoicesProps & { projectPages: Command[] }) {
  const { t } = useTranslation('palette')
  const { pathname } = useLocation()
  const [typed, setTyped] = useState('')
  const [ofPage] = useState(pageActions)
  const [recent] = useState(recentPages)
  const commands = [...ofPage, ...projectPages, ...usePlaces(typed), ...useWorkspacePages(), ...useGeneralCommands(me)]
  const isAsked = typed.trim() !== ''
  const entry = (command: Command) => <Entry key={command.id} command={command} onChoose={onChoose} />
  return (
    <List label={t('title')} shouldFilter={false} vimBindings={false} loop className={classes.palette}>
      <div className={classes.field}>
        <IconSearch size={18} stroke={1.6} aria-hidden />
        <List.Input
          autoFocus
          data-autofocus
          value={typed}
          onValueChange={setTyped}
          placeholder={t('placeholder')}
          className={classes.input}
        />
      </div>
      <List.List className={classes.list} label={t('title')}>
        <List.Empty className={classes.empty}>{t('nothing')}</List.Empty>
        {isAsked
          ? found(commands, typed.trim(), recent).map(entry)
          : sections(commands, recent, pathname).map(([section, own]) => (
              <List.Group key={section} heading={t(`section.${section}`)} className={classes.group}>
                {own.map(entry)}
              </List.Group>
            ))}
      </List.List>
      <div className={classes.foot} aria-hidden>
        <Hint keys={['↑', '↓']}>{t('hint.move')}</Hint>
        <Hint keys={['Enter']}>{t('hint.choose')}</Hint>
        <Hint keys={['Esc']}>{t('hint.close')}</Hint>
      </div>
    </List>
  )
}

function Entry({ command, onChoose }: { command: Command; onChoose: (command: Command) => void }) {
  const { id, label, detail, icon: Icon } = command
  return (
    <List.Item value={id} onSelect={() => onChoose(command)} className={classes.item}>
      <Icon size={16} stroke={1.6} />
      <span className={classes.label}>{label}</span>
      {detail && (
        <Text span size="xs" className={classes.detail}>
          {detail}
        </Text>
      )}
    </List.Item>
  )
}

function Hint({ keys, children }: { keys: string[]; children: ReactNode }) {
  return (
    <span className={classes.hint}>
      {keys.map((key) => (
        <Kbd key={key} size="xs">
          {key}
        </Kbd>
      ))}
      {children}
    </span>
  )
}
