import { Center, Text } from '@mantine/core'
import { IconPhotoOff } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { Evidence } from '../../lib/evidence'
import { EvidenceShade } from '../../ui/evidence-shade'
import classes from './stage.module.css'
import { useZoom } from './use-zoom'
import { ZoomBar } from './zoom-bar'

interface Picture {
  name: string
  media: { width?: number | null; height?: number | null }
  picture_url: string
  thumbnail_url: string | null
}

/** Time until a picture that did not come is asked for again: a server that starts anew is back within seconds. */
const SOON_MS = 1500
const LATER_MS = 15_000
const SOON_TRIES = 6

interface PictureStageProps {
  item: Picture
  /** Lies exactly over the picture. */
  overlay?: ReactNode
  /** Darkens what did not count. */
  evidence?: Evidence | undefined
  children?: ReactNode
}

/** White, of a picture's shape: models see transparent parts on white, and the thumbnail would shine through. */
const ground = ({ naturalWidth, naturalHeight }: HTMLImageElement) => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${naturalWidth}" height="${naturalHeight}"><rect width="100%" height="100%" fill="#fff"/></svg>`
  return `url("data:image/svg+xml,${encodeURIComponent(svg)}")`
}

/** The picture, as large as the page allows, and nearer by the wheel; the thumbnail stands in until it is there. */
export function PictureStage({ item: picture, overlay, evidence, children }: PictureStageProps) {
  const { t } = useTranslation('common')
  const [broken, setBroken] = useState<{ url: string; isWaiting: boolean; tries: number } | null>(null)
  const failed = broken?.url === picture.picture_url ? broken : null
  const isBroken = failed?.isWaiting === true
  const { box, zoom, zoomBy, fit, dragging } = useZoom(picture.picture_url)
  useEffect(() => {
    if (!failed?.isWaiting) return
    const again = () => setBroken({ ...failed, isWaiting: false })
    const timer = setTimeout(again, failed.tries <= SOON_TRIES ? SOON_MS : LATER_MS)
    return () => clearTimeout(timer)
  }, [failed])
  return (
    <div ref={box} className={classes.stage} data-zoomed={zoom.scale > 1 || undefined} {...dragging}>
      {isBroken && (
        <Center h="100%" c="dimmed">
          <IconPhotoOff size={32} />
          <Text ml="xs">{t('picture_broken')}</Text>
        </Center>
      )}
      <div className={classes.sheet} style={{ transform: `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})` }}>
        {!isBroken && (
          <img
            key={picture.picture_url}
            className={classes.picture}
            src={picture.picture_url}
            style={picture.thumbnail_url ? { backgroundImage: `url("${picture.thumbnail_url}")` } : undefined}
            alt={picture.name}
            draggable={false}
            onLoad={({ currentTarget }) => (currentTarget.style.backgroundImage = ground(currentTarget))}
            onError={() => setBroken({ url: picture.picture_url, isWaiting: true, tries: (failed?.tries ?? 0) + 1 })}
          />
        )}
        {!isBroken && evidence && (
          <EvidenceShade
            className={classes.shade}
            evidence={evidence}
            width={picture.media.width ?? 1}
            height={picture.media.height ?? 1}
          />
        )}
        {!isBroken && overlay && <div className={classes.overlay}>{overlay}</div>}
      </div>
      {!isBroken && <ZoomBar scale={zoom.scale} zoomBy={zoomBy} fit={fit} />}
      {children}
    </div>
  )
}
