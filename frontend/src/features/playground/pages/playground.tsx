import { Button, FileButton, Group, Menu, Select } from '@mantine/core'
import { IconChevronDown, IconCode, IconPhoto } from '@tabler/icons-react'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Editor } from '../../../canvas/editor'
import { CanvasWorkspace } from '../../../canvas/react/canvas-workspace'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { PageHeader } from '../../../ui/page-header'
import { JsonDrawer } from '../components/json-drawer'
import classes from '../components/playground.module.css'
import { useLocalDraft } from '../components/use-local-draft'
import { usePicture } from '../components/use-picture'
import { LABELS, manyShapes, SAMPLE } from '../../../canvas/samples'

const COUNTS = [20, 200, 2000] as const

/** Every drawing tool on a picture that belongs to no project; nothing is sent anywhere. */
export function Component() {
  const { t } = useTranslation('playground')
  const [editor] = useState(() => new Editor({ picture: SAMPLE, labels: LABELS }))
  const picture = usePicture(editor)
  const [isJsonOpen, json] = useDisclosure()
  useLocalDraft(editor)
  return (
    <div className={classes.page}>
      <PageHeader
        title={t('title')}
        subtitle={t('subtitle')}
        actions={
          <Group gap="xs">
            <Select
              aria-label={t('picture')}
              data={picture.choices.map((value) => ({ value, label: t(`pictures.${value}`) }))}
              value={picture.chosen}
              onChange={(value) => value && picture.choose(value)}
              w={170}
              size="xs"
            />
            <FileButton accept="image/*" onChange={(file) => file && picture.open(file)}>
              {(props) => (
                <Button variant="default" leftSection={<IconPhoto size={15} />} {...props}>
                  {t('open')}
                </Button>
              )}
            </FileButton>
            <Menu position="bottom-end">
              <Menu.Target>
                <Button variant="default" rightSection={<IconChevronDown size={14} />}>
                  {t('fill')}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {COUNTS.map((count) => (
                  <Menu.Item key={count} onClick={() => addMany(editor, count)}>
                    {t('shapes', { count })}
                  </Menu.Item>
                ))}
                <Menu.Divider />
                <Menu.Item onClick={() => editor.commit(editor.document.order.map((id) => ({ type: 'remove', id })))}>
                  {t('clear')}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
            <Button variant="default" leftSection={<IconCode size={15} />} onClick={json.open}>
              {t('json.open')}
            </Button>
          </Group>
        }
      />
      {picture.error ? (
        <ErrorState error={picture.error} onRetry={() => picture.choose('street')} />
      ) : (
        <div className={classes.area}>
          {picture.isLoading ? <LoadingState /> : <CanvasWorkspace editor={editor} image={picture.image} />}
        </div>
      )}
      <JsonDrawer editor={editor} opened={isJsonOpen} onClose={json.close} />
    </div>
  )
}

function addMany(editor: Editor, count: number): void {
  const shapes = manyShapes(count, editor.viewport.picture, editor.document.size + 1)
  let above = editor.document.top
  editor.commit(
    shapes.map((object) => {
      const operation = { type: 'add', object, above } as const
      above = object.id
      return operation
    }),
  )
}
