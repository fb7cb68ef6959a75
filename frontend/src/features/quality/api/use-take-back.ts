import { useTranslation } from 'react-i18next'

import { afterMutation } from '../../../lib/after-mutation'
import { notifyDone } from '../../../ui/notify'
import { useUndoQuality } from './quality'

/** Undoes an action and reports how much was undone: later changes by others are kept. */
export function useTakeBack(): { takeBack: (action: string) => void; isPending: boolean } {
  const { t } = useTranslation('quality')
  const undo = useUndoQuality()
  const takeBack = (action: string) =>
    afterMutation(undo.mutateAsync(action), ({ num_items, num_kept }) =>
      notifyDone(
        num_kept > 0
          ? t('history.undone_partly', { count: num_items - num_kept, kept: num_kept })
          : t('history.undone_all', { count: num_items }),
      ),
    )
  return { takeBack, isPending: undo.isPending }
}
