import { useEffect, useState } from 'react'

/** A picture, decoded; null while it loads. `isBroken` if it cannot be decoded. */
export function useLoadedPicture(url: string | undefined): { image: HTMLImageElement | null; isBroken: boolean } {
  const [loaded, setLoaded] = useState<{ url: string; image: HTMLImageElement | null } | null>(null)
  useEffect(() => {
    if (url === undefined) return
    let isMounted = true
    const image = new Image()
    image.src = url
    const keep = (found: HTMLImageElement | null) => isMounted && setLoaded({ url, image: found })
    image.decode().then(
      () => keep(image),
      () => keep(null),
    )
    return () => {
      isMounted = false
    }
  }, [url])
  const isThere = loaded !== null && loaded.url === url
  return { image: isThere ? loaded.image : null, isBroken: isThere && loaded.image === null }
}
