/** A street at noon, drawn with the browser's pen: something to label when no picture is at hand. */
import { SAMPLE, seeded } from '../../../canvas/samples'

type Pen = CanvasRenderingContext2D

export function drawScene(seed = 3): HTMLCanvasElement {
  const canvas = Object.assign(document.createElement('canvas'), SAMPLE)
  const pen = canvas.getContext('2d')
  if (!pen) return canvas
  const random = seeded(seed)
  drawGround(pen)
  for (let x = -40; x < SAMPLE.width; x += 130 + random() * 90) drawBuilding(pen, x, 110 + random() * 90, 220 + random() * 220, random)
  for (let x = 60; x < SAMPLE.width; x += 190 + random() * 120) drawTree(pen, x, 600, 46 + random() * 26)
  for (let index = 0; index < 5; index += 1) {
    drawCar(pen, 90 + index * 300 + random() * 70, 690 + (index % 2) * 130, `hsl(${Math.round(random() * 360)} 55% 48%)`)
  }
  for (let index = 0; index < 6; index += 1) drawPerson(pen, 170 + index * 250 + random() * 90, 560 + random() * 30)
  return canvas
}

function drawGround(pen: Pen): void {
  const sky = pen.createLinearGradient(0, 0, 0, 600)
  sky.addColorStop(0, '#8fb8de')
  sky.addColorStop(1, '#dfeaf2')
  fill(pen, sky, 0, 0, SAMPLE.width, 600)
  fill(pen, '#b9b4a6', 0, 600, SAMPLE.width, 60)
  fill(pen, '#4d5157', 0, 660, SAMPLE.width, 340)
  pen.strokeStyle = '#e8e3cf'
  pen.lineWidth = 8
  pen.setLineDash([60, 44])
  pen.beginPath()
  pen.moveTo(0, 790)
  pen.lineTo(SAMPLE.width, 790)
  pen.stroke()
  pen.setLineDash([])
}

function fill(pen: Pen, style: string | CanvasGradient, x: number, y: number, width: number, height: number): void {
  pen.fillStyle = style
  pen.fillRect(x, y, width, height)
}

function drawBuilding(pen: Pen, x: number, width: number, height: number, random: () => number): void {
  const top = 600 - height
  fill(pen, `hsl(${20 + random() * 30} ${15 + random() * 20}% ${48 + random() * 20}%)`, x, top, width, height)
  for (let row = top + 18; row < 560; row += 42) {
    for (let column = x + 14; column < x + width - 22; column += 34) {
      fill(pen, random() < 0.25 ? '#f3e3a6' : '#5f7387', column, row, 18, 24)
    }
  }
}

function disc(pen: Pen, style: string, x: number, y: number, radius: number): void {
  pen.fillStyle = style
  pen.beginPath()
  pen.arc(x, y, radius, 0, 2 * Math.PI)
  pen.fill()
}

function drawTree(pen: Pen, x: number, foot: number, radius: number): void {
  fill(pen, '#6b4f3a', x - 7, foot - radius, 14, radius + 20)
  disc(pen, '#3d6b3a', x, foot - radius * 1.5, radius)
  disc(pen, '#4c7f45', x - radius * 0.5, foot - radius * 1.2, radius * 0.7)
  disc(pen, '#568c4c', x + radius * 0.5, foot - radius * 1.6, radius * 0.6)
}

function drawCar(pen: Pen, x: number, y: number, color: string): void {
  pen.fillStyle = color
  pen.beginPath()
  pen.roundRect(x, y, 190, 58, 16)
  pen.roundRect(x + 36, y - 40, 112, 60, 22)
  pen.fill()
  fill(pen, '#cfe0ec', x + 50, y - 28, 38, 26)
  fill(pen, '#cfe0ec', x + 96, y - 28, 38, 26)
  for (const wheel of [x + 42, x + 148]) {
    disc(pen, '#20242a', wheel, y + 58, 22)
    disc(pen, '#9aa3ad', wheel, y + 58, 9)
  }
}

function drawPerson(pen: Pen, x: number, y: number): void {
  pen.strokeStyle = '#2c3440'
  pen.lineWidth = 9
  pen.lineCap = 'round'
  pen.beginPath()
  for (const [fromX, fromY, toX, toY] of [
    [0, 20, 0, 62],
    [0, 28, -22, 52],
    [0, 28, 24, 48],
    [0, 62, -16, 100],
    [0, 62, 16, 100],
  ] as const) {
    pen.moveTo(x + fromX, y + fromY)
    pen.lineTo(x + toX, y + toY)
  }
  pen.stroke()
  disc(pen, '#d9b08c', x, y + 4, 13)
}
