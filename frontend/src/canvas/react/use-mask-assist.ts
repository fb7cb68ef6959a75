/** Gives the editor the assist for the picture that is shown; its worker starts when the tool is first picked up. */
import { useEffect, useState } from 'react'

import { WorkerAssist } from '../assist/worker-assist'
import { ColorTiles } from '../colors/color-tiles'
import { PictureSource } from '../colors/picture-source'
import type { Editor } from '../editor'

export function useMaskAssist(editor: Editor, image: HTMLImageElement | null): void {
  const [assist] = useState(() => new WorkerAssist())
  useEffect(() => {
    if (!image || editor.isReadOnly) return
    assist.show(image)
    editor.setAssist(assist)
    return () => editor.setAssist(null)
  }, [assist, editor, image])
  useEffect(() => () => assist.destroy(), [assist])
}

/** Gives the editor the colours of the picture that is shown; none is read before a tool asks for it. */
export function usePictureColors(editor: Editor, image: HTMLImageElement | null): void {
  useEffect(() => {
    if (!image || editor.isReadOnly) return
    editor.setColors(new ColorTiles(new PictureSource(image)))
    return () => editor.setColors(null)
  }, [editor, image])
}
