/** As many lines of small type as stand beside a picture of that size, and the width in which they read well. */
export function besidePicture(size_px: number): { lines: number; width: number } {
  return { lines: Math.max(1, Math.floor((size_px - 16) / 20.3)), width: size_px * 2.4 }
}
