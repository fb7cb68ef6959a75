import { Badge, Loader } from '@mantine/core'
import { useTranslation } from 'react-i18next'

const COLORS: Record<string, string> = {
  queued: 'gray',
  leased: 'gray',
  starting: 'accent',
  paused: 'yellow',
  running: 'accent',
  succeeded: 'teal',
  production: 'teal',
  candidate: 'accent',
  annotated: 'teal',
  unlabelled: 'gray',
  failed: 'red',
  cancelled: 'gray',
  applying: 'blue',
  undoing: 'blue',
  undone: 'gray',
  stopped: 'gray',
  pruned: 'orange',
  archived: 'gray',
}
const MOVING = new Set(['leased', 'starting', 'running'])

/** The state of anything, in one set of colours. */
export function StateBadge({ state, isMoving = MOVING.has(state) }: { state: string; isMoving?: boolean }) {
  const { t } = useTranslation('common')
  return (
    <Badge
      style={{ verticalAlign: 'middle' }}
      color={COLORS[state] ?? 'gray'}
      leftSection={isMoving ? <Loader size={8} color="currentColor" /> : undefined}
    >
      {t(`state.${state}`)}
    </Badge>
  )
}
