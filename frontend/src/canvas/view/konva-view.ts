/**
 * Shows an editor in an element. The only file that knows Konva: three layers (picture, what is still, what moves), nothing in them
 * that Konva would test for hits, since the editor has an index of its own. Konva keeps stage, pixel ratio and frames.
 */
import Konva from 'konva/lib/Core'
import { Context } from 'konva/lib/Context'

import type { Size } from '../coordinates'
import type { Editor } from '../editor'
import { handlesOf } from '../hit-test'
import type { Pen } from '../shape'
import type { Superpixels } from '../superpixels/superpixels'
import {
  paintCrosshair,
  paintGrid,
  paintHandles,
  paintHidden,
  paintName,
  paintObject,
  paintProposal,
  paintPreview,
  paintSuperpixels,
} from './paint'
import { Picture } from './picture'
import { Still } from './still'

/** After the last zoom or pan: paint sharp and centred. */
const SETTLE_MS = 120
/** More names than this hide the picture. */
const MOST_NAMES = 300
/** What a model proposes, in screen pixels drawn and left out. */
const PROPOSAL_DASH_PX = [6, 4]

export class KonvaView {
  private readonly stage: Konva.Stage
  private readonly layers: { picture: Konva.Layer; still: Konva.Layer; active: Konva.Layer }
  private readonly pictureStill = new Still((pen, within) =>
    this.picture.paint(pen, within, this.editor.viewport.camera.zoom * this.pixelRatio),
  )
  private readonly objectsStill = new Still((pen, within) => this.paintStill(pen, within))
  private readonly offs: (() => void)[] = []
  private picture = new Picture(0, 0, null)
  private settling: ReturnType<typeof setTimeout> | undefined
  private drafted = ''
  private superpixels: Superpixels | null = null
  private unwatch: () => void = () => undefined

  constructor(
    container: HTMLDivElement,
    private readonly editor: Editor,
  ) {
    const { width, height } = container.getBoundingClientRect()
    this.stage = new Konva.Stage({ container, width: Math.max(width, 1), height: Math.max(height, 1), listening: false })
    this.layers = {
      picture: this.layer((pen) => this.drawStill(this.pictureStill, pen)),
      still: this.layer((pen) => this.drawStill(this.objectsStill, pen)),
      active: this.layer((pen) => this.drawActive(pen)),
    }
    for (const layer of Object.values(this.layers)) this.stage.add(layer)
    this.listen()
    this.watchSuperpixels()
    this.resize({ width, height })
  }

  setPicture(image: HTMLImageElement | null): void {
    const { width, height } = this.editor.viewport.picture
    this.picture = new Picture(width, height, image)
    this.pictureStill.invalidate()
    this.layers.picture.batchDraw()
  }

  resize(size: Size): void {
    if (size.width < 1 || size.height < 1) return
    this.stage.size(size)
    this.editor.viewport.resize(size)
    this.redraw()
  }

  destroy(): void {
    clearTimeout(this.settling)
    for (const off of this.offs) off()
    this.unwatch()
    this.stage.destroy()
  }

  private get pixelRatio(): number {
    return this.layers.still.getCanvas().getPixelRatio()
  }

  private layer(draw: (pen: Pen) => void): Konva.Layer {
    const layer = new Konva.Layer({ listening: false })
    layer.add(new Konva.Shape({ perfectDrawEnabled: false, listening: false, sceneFunc: (context: Context) => draw(penOf(context)) }))
    return layer
  }

  private listen(): void {
    const { editor } = this
    const stale = () => this.redraw()
    this.offs.push(
      editor.changed.subscribe(stale),
      editor.labelsChanged.subscribe(stale),
      editor.selection.changed.subscribe(stale),
      editor.appearance.changed.subscribe(() => {
        const { brightness, contrast } = editor.appearance.look
        const filter = brightness === 1 && contrast === 1 ? '' : `brightness(${brightness}) contrast(${contrast})`
        this.layers.picture.getNativeCanvasElement().style.filter = filter
        this.redraw()
      }),
      editor.paint.changed.subscribe(stale),
      editor.sketched.subscribe(() => this.sketch()),
      editor.toolChanged.subscribe(() => {
        this.watchSuperpixels()
        this.layers.active.batchDraw()
      }),
      editor.viewport.changed.subscribe(() => this.moved()),
    )
  }

  private redraw(): void {
    this.objectsStill.invalidate()
    for (const layer of Object.values(this.layers)) layer.batchDraw()
  }

  /** Borders of superpixels come and go with their tool, and when others are there. */
  private watchSuperpixels(): void {
    const { superpixels, tool } = this.editor
    const shown = tool.needs === 'superpixels' ? superpixels : null
    if (shown === this.superpixels) return
    this.superpixels = shown
    this.unwatch()
    this.unwatch = shown?.changed.subscribe(() => this.redraw()) ?? (() => undefined)
    this.redraw()
  }

  /** What is dragged leaves the still bitmap once, when the drag begins, and comes back when it ends. */
  private sketch(): void {
    const drafted = [...this.editor.drafts.keys()].join()
    if (drafted !== this.drafted) {
      this.drafted = drafted
      this.objectsStill.invalidate()
      this.layers.still.batchDraw()
    }
    this.layers.active.batchDraw()
  }

  private moved(): void {
    for (const layer of Object.values(this.layers)) layer.batchDraw()
    clearTimeout(this.settling)
    this.settling = setTimeout(() => {
      const { camera } = this.editor.viewport
      for (const [still, layer] of [
        [this.pictureStill, this.layers.picture],
        [this.objectsStill, this.layers.still],
      ] as const) {
        if (still.isSharp(camera)) continue
        still.invalidate()
        layer.batchDraw()
      }
    }, SETTLE_MS)
  }

  private drawStill(still: Still, pen: Pen): void {
    still.draw(pen, this.editor.viewport.camera, this.editor.viewport.screen, this.pixelRatio)
  }

  private paintStill(pen: Pen, within: { minX: number; minY: number; maxX: number; maxY: number }): void {
    const { editor } = this
    paintGrid(pen, editor, within)
    pen.lineJoin = 'round'
    const ids = editor.index.search(within).filter((id) => !editor.drafts.has(id) && !editor.appearance.isHidden(id))
    const objects = editor.fromBelow(ids)
    for (const object of objects) {
      if (editor.paint.hasOneLabelAPixel) paintHidden(pen, editor, object, within)
      paintObject(pen, editor, object, within, { isSelected: editor.selection.has(object.id) })
    }
    paintSuperpixels(pen, editor, within)
    if (!editor.appearance.hasNames || objects.length > MOST_NAMES) return
    for (const object of objects) paintName(pen, editor, object)
  }

  private drawActive(pen: Pen): void {
    const { editor } = this
    const { camera, visible } = editor.viewport
    pen.save()
    pen.translate(camera.offsetX, camera.offsetY)
    pen.scale(camera.zoom, camera.zoom)
    pen.lineJoin = 'round'
    pen.setLineDash(PROPOSAL_DASH_PX.map((px) => px / camera.zoom))
    for (const proposal of editor.proposals) paintProposal(pen, editor, proposal, visible)
    pen.setLineDash([])
    if (editor.appearance.hasNames && editor.proposals.length <= MOST_NAMES) {
      for (const proposal of editor.proposals) paintName(pen, editor, proposal)
    }
    const isSelected = (id: string) => editor.drafts.size === 1 || editor.selection.has(id)
    for (const draft of editor.drafts.values()) paintObject(pen, editor, draft, visible, { isSelected: isSelected(draft.id) })
    const hovered = editor.hovered && editor.drafts.size === 0 ? editor.document.get(editor.hovered) : undefined
    if (hovered && !editor.selection.has(hovered.id)) paintObject(pen, editor, hovered, visible, { isSelected: true })
    if (editor.tool.makes && editor.appearance.hasCrosshair && !editor.tool.isHeld) paintCrosshair(pen, editor, visible)
    if (editor.preview) paintPreview(pen, editor, editor.preview, visible)
    this.drawChosen(pen, hovered?.id ?? null)
    pen.restore()
  }

  private drawChosen(pen: Pen, hovered: string | null): void {
    const { editor } = this
    const only = editor.selection.only ? editor.shown(editor.selection.only) : undefined
    const named = only ?? (hovered ? editor.document.get(hovered) : undefined)
    if (named && !editor.appearance.hasNames && !editor.appearance.isHidden(named.id)) paintName(pen, editor, named)
    if (!only || editor.tool.makes || editor.isReadOnly || !editor.appearance.isFree(only.id)) return
    const active = editor.activeHandle?.id === only.id ? editor.activeHandle.name : null
    paintHandles(pen, editor.viewport.camera.zoom, handlesOf(editor, only), active)
  }
}

/** Konva wraps the browser's context; ours is drawn with the bare one. */
const penOf = (context: Context): Pen => context._context as Pen
