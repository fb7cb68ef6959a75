import { drawnBy } from '.'
import type { OverlayProps } from './kind'

interface AnnotationOverlayProps extends Omit<OverlayProps, 'width_px' | 'height_px'> {
  /** Sides in pixels. */
  item: { media: { width?: number | null; height?: number | null } }
}

/** Draws the annotations that have a place in the picture over it. */
export function AnnotationOverlay({ item, annotations, ...looks }: AnnotationOverlayProps) {
  const { width: width_px, height: height_px } = item.media
  if (!width_px || !height_px) return null
  return drawnBy(annotations).map(
    ({ kind: { name, Overlay }, drawn }) =>
      Overlay && <Overlay key={name} annotations={drawn} width_px={width_px} height_px={height_px} {...looks} />,
  )
}
