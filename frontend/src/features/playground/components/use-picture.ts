import { useCallback, useEffect, useState } from 'react'

import type { Editor } from '../../../canvas/editor'
import { SAMPLE } from '../../../canvas/samples'
import { drawScene } from '../model/scene'

const CHOICES = ['street', 'blank', 'file'] as const
type Choice = (typeof CHOICES)[number]

/** The picture below the drawing: drawn here, white, or a file of the person's own, which stays in the browser. */
export function usePicture(editor: Editor) {
  const [chosen, setChosen] = useState<Choice>('street')
  const [image, setImage] = useState<HTMLImageElement | null>(null)
  const [isLoading, setLoading] = useState(true)
  const [error, setError] = useState<Error | null>(null)
  const [file, setFile] = useState<File | null>(null)

  const load = useCallback(
    async (choice: Choice, from: File | null) => {
      setLoading(true)
      setError(null)
      try {
        const loaded = await loadImage(from && choice === 'file' ? from : await sample(choice))
        const size = { width: loaded.naturalWidth, height: loaded.naturalHeight }
        const { picture } = editor.viewport
        if (size.width !== picture.width || size.height !== picture.height) editor.open(size, [])
        setImage(loaded)
      } catch (reason) {
        setError(reason instanceof Error ? reason : new Error(String(reason)))
      } finally {
        setLoading(false)
      }
    },
    [editor],
  )
  useEffect(() => {
    // eslint-disable-next-line react-hooks/set-state-in-effect -- the picture is loaded once, when the page opens
    void load('street', null)
  }, [load])

  return {
    chosen,
    image,
    isLoading,
    error,
    choices: CHOICES.filter((choice) => choice !== 'file' || file),
    choose: (value: string) => {
      setChosen(value as Choice)
      void load(value as Choice, file)
    },
    open: (next: File) => {
      setFile(next)
      setChosen('file')
      void load('file', next)
    },
  }
}

async function sample(choice: Choice): Promise<Blob> {
  const canvas = choice === 'street' ? drawScene() : blank()
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve))
  if (!blob) throw new Error('the browser cannot draw')
  return blob
}

function blank(): HTMLCanvasElement {
  const canvas = Object.assign(document.createElement('canvas'), SAMPLE)
  const pen = canvas.getContext('2d')
  if (pen) {
    pen.fillStyle = '#ffffff'
    pen.fillRect(0, 0, SAMPLE.width, SAMPLE.height)
  }
  return canvas
}

async function loadImage(blob: Blob): Promise<HTMLImageElement> {
  const url = URL.createObjectURL(blob)
  const image = new Image()
  image.src = url
  try {
    await image.decode()
  } finally {
    URL.revokeObjectURL(url)
  }
  return image
}
