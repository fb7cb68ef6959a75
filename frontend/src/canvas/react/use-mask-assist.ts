/** Gives the editor the assist for the picture that is shown; its worker starts when the tool is first picked up. */
import { useEffect, useState } from 'react'

import { WorkerAssist } from '../assist/worker-assist'
import { ColorTiles } from '../colors/color-tiles'
import { PictureSource } from '../colors/picture-source'
import type { Editor } from '../editor'
import { Superpixels } from '../superpixels/superpixels'
import { WorkerDivide } from '../superpixels/worker-divide'

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

/** Pictures whose superpixels are kept, so that going back to one costs nothing. */
const MOST_PICTURES = 4

/** Gives the editor the superpixels of the picture that is shown; none are computed before the tool is picked up. */
export function useSuperpixels(editor: Editor, image: HTMLImageElement | null): void {
  const [worker] = useState(() => new WorkerDivide())
  const [known] = useState(() => new Map<string, Superpixels>())
  useEffect(() => {
    if (!image || editor.isReadOnly) return
    const superpixels = known.get(image.src) ?? new Superpixels(new PictureSource(image), worker.divide)
    known.delete(image.src)
    known.set(image.src, superpixels)
    for (const old of [...known.keys()].slice(0, -MOST_PICTURES)) known.delete(old)
    editor.setSuperpixels(superpixels)
    return () => editor.setSuperpixels(null)
  }, [editor, image, known, worker])
  useEffect(() => () => worker.destroy(), [worker])
}
