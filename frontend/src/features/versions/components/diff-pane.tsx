import { Loader } from '@mantine/core'
import { IconPhotoOff } from '@tabler/icons-react'
import { type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { DiffItem } from '../api/types'
import type { Bounds } from '../../../canvas/annotation-outline'
import type { DrawnShape } from '../model/shape-changes'
import { panned, type Size, zoomed } from '../model/zoom'
import classes from './diff-look.module.css'
import { ShapeLayer } from './shape-layer'

interface DiffPaneProps {
  item: DiffItem
  picture: Size
  title: string
  shapes: readonly DrawnShape[]
  isOverlaid?: boolean
  view: Bounds
  onView: (change: (view: Bounds) => Bounds) => void
}

const WHEEL_STEP = 1.0015
/** Of what is seen, so that names stay legible however near one comes. */
const TEXT_SHARE = 1 / 36

/** A picture with the shapes of one state, or of both; the wheel zooms, dragging moves. */
export function DiffPane({ item, picture, title, shapes, isOverlaid = false, view, onView }: DiffPaneProps) {
  const { t } = useTranslation('versions')
  const drawing = useRef<SVGSVGElement>(null)
  const dragStart = useRef<{ x: number; y: number } | null>(null)
  const [loaded, setLoaded] = useState<'waiting' | 'there' | 'broken'>('waiting')
  const turn = useEffectEvent((event: WheelEvent) => {
    event.preventDefault()
    const at = pointOf(drawing.current, event)
    if (at) onView((before) => zoomed(before, WHEEL_STEP ** -event.deltaY, picture, at))
  })
  useEffect(() => {
    const box = drawing.current
    // React hears the wheel without being able to keep the page still.
    box?.addEventListener('wheel', turn, { passive: false })
    return () => box?.removeEventListener('wheel', turn)
  }, [])
  const drag = (event: PointerEvent) => {
    const now = dragStart.current && pointOf(drawing.current, event)
    const start = dragStart.current
    if (!now || !start) return
    onView((before) => panned(before, [(start.x - now.x) / before.width, (start.y - now.y) / before.height], picture))
  }
  return (
    <figure className={classes.pane}>
      <figcaption>{title}</figcaption>
      {loaded === 'waiting' && <Loader className={classes.state} size="sm" />}
      {loaded === 'broken' && (
        <span className={classes.state}>
          <IconPhotoOff size={18} aria-hidden /> {t('common:picture_broken')}
        </span>
      )}
      <svg
        ref={drawing}
        className={classes.drawing}
        viewBox={`${view.x} ${view.y} ${view.width} ${view.height}`}
        role="img"
        aria-label={`${item.name}, ${title}`}
        onPointerDown={(event) => {
          dragStart.current = pointOf(drawing.current, event)
          event.currentTarget.setPointerCapture(event.pointerId)
        }}
        onPointerMove={drag}
        onPointerUp={() => (dragStart.current = null)}
        onPointerCancel={() => (dragStart.current = null)}
      >
        <image
          href={item.picture_url}
          width={picture.width}
          height={picture.height}
          onLoad={() => setLoaded('there')}
          onError={() => setLoaded('broken')}
        />
        <ShapeLayer shapes={shapes} isOverlaid={isOverlaid} text_px={Math.max(view.width, view.height) * TEXT_SHARE} />
      </svg>
    </figure>
  )
}

/** A place on the screen in the picture's pixels. */
function pointOf(drawing: SVGSVGElement | null, { clientX, clientY }: { clientX: number; clientY: number }) {
  const matrix = drawing?.getScreenCTM()
  if (!matrix) return null
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse())
  return { x, y }
}
