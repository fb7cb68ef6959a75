import { VisuallyHidden } from '@mantine/core'
import { useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import type { Editor } from '../editor'
import { KonvaView } from '../view/konva-view'
import { bindPointer } from '../view/pointer'
import classes from './canvas.module.css'
import { useSignal } from './use-signal'

interface StageProps {
  editor: Editor
  /** Loaded; null while it loads. */
  image: HTMLImageElement | null
}

/** The element in which the picture and its objects are drawn. */
export function Stage({ editor, image }: StageProps) {
  const { t } = useTranslation('canvas')
  const element = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const view = useRef<KonvaView | null>(null)
  const help = useId()
  useSignal(editor.toolChanged)

  useEffect(() => {
    const [outer, inner] = [element.current, content.current]
    if (!outer || !inner) return
    const made = new KonvaView(inner, editor)
    view.current = made
    const unbind = bindPointer(outer, editor)
    const observer = new ResizeObserver(() => made.resize({ width: outer.clientWidth, height: outer.clientHeight }))
    observer.observe(outer)
    return () => {
      observer.disconnect()
      unbind()
      made.destroy()
      view.current = null
    }
  }, [editor])

  useEffect(() => view.current?.setPicture(image), [editor, image])

  return (
    <div
      ref={element}
      className={classes.stage}
      data-tool={editor.tool.name}
      data-pan={editor.isPanHeld || undefined}
      data-draws={editor.tool.makes ? true : undefined}
      role="application"
      tabIndex={0}
      aria-label={t('name')}
      aria-describedby={help}
    >
      <div ref={content} className={classes.content} />
      <VisuallyHidden id={help}>{t('help')}</VisuallyHidden>
    </div>
  )
}
