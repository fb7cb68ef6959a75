import { useItemKind } from '.'
import type { StagedItem, StageProps } from './kind'
import { WaitingStage } from './waiting-stage'

interface ItemStageProps extends Omit<StageProps, 'item'> {
  /** Null while it is on its way. */
  item: StagedItem | null
}

/** One item as large as the page allows: a picture to look at, a text or a row to read. */
export function ItemStage({ item, ...props }: ItemStageProps) {
  const { Stage } = useItemKind()
  if (!item) return <WaitingStage>{props.children}</WaitingStage>
  return <Stage item={item} {...props} />
}
