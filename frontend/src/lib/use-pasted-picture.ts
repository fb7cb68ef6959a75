import { useEffect, useEffectEvent } from 'react'

/** A picture pasted anywhere on the page, unless somebody types. */
export function usePastedPicture(onPicture: (picture: File) => void): void {
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return
    const file = [...(event.clipboardData?.files ?? [])].find((each) => each.type.startsWith('image/'))
    if (file) onPicture(file)
  })
  useEffect(() => {
    const listen = (event: ClipboardEvent) => onPaste(event)
    document.addEventListener('paste', listen)
    return () => document.removeEventListener('paste', listen)
  }, [])
}
