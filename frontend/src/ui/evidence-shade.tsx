import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { DARK, type Evidence, isEmpty, shadeOf } from '../lib/evidence'

/** Longer side of the drawing; the browser smooths the rest. */
const SIDE_PX = 256

interface EvidenceShadeProps {
  evidence: Evidence
  /** Of the picture below, in its pixels. */
  width: number
  height: number
  className?: string | undefined
}

/** Darkens a picture where nothing speaks for a label. Lies over the picture and is fitted as it is. */
export function EvidenceShade({ evidence, width, height, className }: EvidenceShadeProps) {
  const { t } = useTranslation('common')
  const canvas = useRef<HTMLCanvasElement>(null)
  const { grid, label } = evidence
  const isShown = grid !== null && !isEmpty(evidence)
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!isShown || !context) return
    const cells = document.createElement('canvas')
    cells.width = grid.columns
    cells.height = grid.rows
    cells.getContext('2d')?.putImageData(new ImageData(shadeOf(grid), grid.columns, grid.rows), 0, 0)
    context.imageSmoothingQuality = 'high'
    context.clearRect(0, 0, context.canvas.width, context.canvas.height)
    const { area } = grid
    const { x, y, ...sides } = area ?? { x: 0, y: 0, width, height }
    const [across, down] = [context.canvas.width / width, context.canvas.height / height]
    context.fillStyle = DARK
    if (area) context.fillRect(0, 0, context.canvas.width, context.canvas.height)
    context.clearRect(x * across, y * down, sides.width * across, sides.height * down)
    context.drawImage(cells, x * across, y * down, sides.width * across, sides.height * down)
  }, [isShown, grid, width, height])
  if (!isShown) return null
  const scale = SIDE_PX / Math.max(width, height)
  return (
    <canvas
      ref={canvas}
      className={className}
      width={Math.max(1, Math.round(width * scale))}
      height={Math.max(1, Math.round(height * scale))}
      role="img"
      aria-label={t('evidence.of', { label })}
    />
  )
}
