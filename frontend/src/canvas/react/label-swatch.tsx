import { ColorSwatch } from '@mantine/core'

import classes from './canvas.module.css'

/** The colour of a label, hatched like its areas. */
export function LabelSwatch({ color, isHatched = false }: { color: string; isHatched?: boolean | undefined }) {
  return <ColorSwatch color={color} size={12} withShadow={false} data-hatched={isHatched || undefined} className={classes.swatch} />
}
