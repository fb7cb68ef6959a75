import {
  ActionIcon,
  Badge,
  Button,
  CloseButton,
  Divider,
  FileButton,
  Group,
  Kbd,
  Modal,
  ScrollArea,
  Stack,
  Text,
  TextInput,
  Tooltip,
} from '@mantine/core'
import { IconArrowBackUp, IconDownload, IconPlus, IconSearch, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { type Holder, holdersOf, keysOf, moved, readChoices, rebound } from '../../lib/shortcuts/bindings'
import { useChoices } from '../../lib/shortcuts/choices'
import { shownChord } from '../../lib/shortcuts/chord'
import { SCOPES, type ShortcutAction, type ShortcutScope } from '../../lib/shortcuts/scope'
import { notifyDone, notifyError } from '../notify'
import { KeyCapture } from './key-capture'
import classes from './shortcuts-dialog.module.css'

interface ShortcutsDialogProps {
  opened: boolean
  onClose: () => void
  /** The scope of the page, shown first. */
  scope: string
}

interface Recording extends Holder {
  chord: string | null
}

/** Whether the keys of a scope act on the page of another one. */
const isActive = ({ scope, beside }: ShortcutScope, present: string) =>
  scope === present || beside?.includes(present) || SCOPES.some((one) => one.scope === present && one.beside?.includes(scope))

/** The keys of the page, and on request or by a search those of all pages: to look up, to change, to take along. */
export function ShortcutsDialog({ opened, onClose, scope: present }: ShortcutsDialogProps) {
  const { t } = useTranslation('shortcuts')
  const [choices, keep] = useChoices()
  const [text, setText] = useState('')
  const [isAll, setAll] = useState(false)
  const [recording, setRecording] = useState<Recording | null>(null)
  const wordOf = (scope: ShortcutScope, { word, id, params }: ShortcutAction) => t(`${scope.words}.${word ?? id}`, params ?? {})
  const nameOf = (holder: Holder) => {
    const scope = SCOPES.find((one) => one.scope === holder.scope)
    const action = scope?.actions.find(({ id }) => id === holder.action)
    return scope && action ? wordOf(scope, action) : holder.action
  }
  const shown = SCOPES.filter((scope) => isAll || text !== '' || isActive(scope, present))
    .sort((one, other) => Number(other.scope === present) - Number(one.scope === present))
    .map((scope) => {
      const keys = keysOf(scope, choices)
      const rows = scope.actions.map((action) => ({ action, word: wordOf(scope, action), keys: keys.get(action.id) ?? [] }))
      return { scope, rows: rows.filter(({ word, keys: own }) => matches(text, word, own)) }
    })
    .filter(({ rows }) => rows.length > 0)

  const press = (chord: string) => {
    if (!recording) return
    if (holdersOf(chord, recording, choices).length) setRecording({ ...recording, chord })
    else {
      keep(moved(choices, recording, chord))
      setRecording(null)
    }
  }
  const readFile = async (file: File | null) => {
    if (!file) return
    const read = readChoices(await file.text())
    if (read === null) return notifyError(new Error(t('import_failed')))
    keep(read)
    notifyDone(t('imported'))
  }

  return (
    <Modal opened={opened} onClose={onClose} title={t('title')} size="lg" closeOnEscape={recording === null}>
      <Group gap="xs" mb="sm" wrap="nowrap">
        <TextInput
          flex={1}
          size="xs"
          aria-label={t('search')}
          placeholder={t('search')}
          leftSection={<IconSearch size={14} />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          rightSection={text && <CloseButton size="sm" aria-label={t('search_clear')} onClick={() => setText('')} />}
          data-autofocus
        />
        <FileButton accept="application/json" onChange={(file) => void readFile(file)}>
          {(props) => (
            <Tooltip label={t('import')}>
              <ActionIcon {...props} aria-label={t('import')}>
                <IconUpload size={16} />
              </ActionIcon>
            </Tooltip>
          )}
        </FileButton>
        <Tooltip label={t('export')}>
          <ActionIcon aria-label={t('export')} onClick={() => download(JSON.stringify(choices, null, 2))}>
            <IconDownload size={16} />
          </ActionIcon>
        </Tooltip>
        <Button size="compact-xs" variant="default" disabled={!Object.keys(choices).length} onClick={() => keep({})}>
          {t('reset_all')}
        </Button>
      </Group>
      <ScrollArea.Autosize mah="min(60dvh, 560px)" type="auto" offsetScrollbars>
        {shown.map(({ scope, rows }) => (
          <section key={scope.scope} aria-label={t(`${scope.words}.title`)}>
            <Divider
              my={6}
              labelPosition="left"
              label={
                <Text size="xs" fw={600} c="dimmed">
                  {t(`${scope.words}.title`)}
                </Text>
              }
            />
            {rows.map(({ action, word, keys }) => {
              const of = { scope: scope.scope, action: action.id }
              const isRecording = recording?.scope === of.scope && recording.action === of.action
              return (
                <div key={action.id} className={classes.row} data-asked={isRecording || undefined}>
                  <Text size="sm" className={classes.word}>
                    {word}
                  </Text>
                  <Group gap={4} justify="flex-end">
                    {keys.map((key) => (
                      <span key={key} className={classes.key}>
                        <Kbd size="xs">{shownChord(key)}</Kbd>
                        <CloseButton
                          size={16}
                          className={classes.remove}
                          aria-label={t('remove', { key: shownChord(key), word })}
                          onClick={() =>
                            keep(
                              rebound(
                                choices,
                                of,
                                keys.filter((one) => one !== key),
                              ),
                            )
                          }
                        />
                      </span>
                    ))}
                    {keys.length === 0 && !isRecording && (
                      <Badge variant="default" size="xs">
                        {t('no_key')}
                      </Badge>
                    )}
                    {isRecording ? (
                      <KeyCapture onPress={press} onCancel={() => setRecording(null)} />
                    ) : (
                      <ActionIcon size="sm" aria-label={t('add', { word })} onClick={() => setRecording({ ...of, chord: null })}>
                        <IconPlus size={13} />
                      </ActionIcon>
                    )}
                    <ActionIcon
                      size="sm"
                      aria-label={t('reset', { word })}
                      className={classes.reset}
                      disabled={!choices[of.scope]?.[of.action]}
                      onClick={() => keep(rebound(choices, of, action.keys))}
                    >
                      <IconArrowBackUp size={13} />
                    </ActionIcon>
                  </Group>
                  {isRecording && recording.chord !== null && (
                    <Group gap="xs" className={classes.conflict} role="alert">
                      <Text size="xs" c="orange">
                        {t('taken', {
                          key: shownChord(recording.chord),
                          word: holdersOf(recording.chord, recording, choices).map(nameOf).join(', '),
                        })}
                      </Text>
                      <Button
                        size="compact-xs"
                        onClick={() => {
                          keep(moved(choices, recording, recording.chord ?? ''))
                          setRecording(null)
                        }}
                      >
                        {t('take')}
                      </Button>
                      <Button size="compact-xs" variant="default" onClick={() => setRecording(null)}>
                        {t('leave')}
                      </Button>
                    </Group>
                  )}
                </div>
              )
            })}
          </section>
        ))}
        {shown.length === 0 && (
          <Stack align="center" py="lg">
            <Text size="sm" c="dimmed">
              {t('none_found')}
            </Text>
          </Stack>
        )}
        {!isAll && text === '' && (
          <Button variant="subtle" mt="xs" onClick={() => setAll(true)}>
            {t('show_all')}
          </Button>
        )}
      </ScrollArea.Autosize>
    </Modal>
  )
}

function matches(text: string, word: string, keys: readonly string[]): boolean {
  const query = text.trim().toLowerCase()
  return query === '' || word.toLowerCase().includes(query) || keys.some((key) => shownChord(key).toLowerCase() === query)
}

function download(text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  link.download = 'modelyard-keys.json'
  link.click()
  URL.revokeObjectURL(link.href)
}
