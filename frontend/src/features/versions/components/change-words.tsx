import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import type { ChangeGroup } from '../model/shape-changes'
import classes from './change-words.module.css'
import { LineSample } from './shape-layer'

/** What came, went or changed on a picture, each with the line that it is drawn in. What stayed is counted. */
export function ChangeWords({ groups }: { groups: readonly ChangeGroup[] }) {
  const { t } = useTranslation('versions')
  const stayed = groups.filter(({ change }) => change === 'same').reduce((sum, { count }) => sum + count, 0)
  return (
    <ul className={classes.list}>
      {groups
        .filter(({ change }) => change !== 'same')
        .map(({ change, words, count }) => (
          <li key={`${change} ${words}`}>
            <LineSample change={change} />
            <Text span size="xs" truncate title={words}>
              {words}
            </Text>
            <Text span size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
              {t(`look.count.${change}`, { count })}
            </Text>
          </li>
        ))}
      {stayed > 0 && (
        <li>
          <LineSample change="same" />
          <Text span size="xs" c="dimmed">
            {t('look.count.same', { count: stayed })}
          </Text>
        </li>
      )}
    </ul>
  )
}
