import { Group, Progress, Select, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useReviewAuthors, type ReviewChoice } from '../api/review'

const SHARES = [100, 50, 25, 10]

interface ReviewFilterProps {
  project: string
  choice: ReviewChoice
  /** How many were decided since the numbers were read. */
  numDecided: number
  onChange: (choice: ReviewChoice) => void
}

/** Whose labels are reviewed, what share of them, and how far it is. */
export function ReviewFilter({ project, choice, numDecided, onChange }: ReviewFilterProps) {
  const { t } = useTranslation('team')
  const { author, ...rest } = choice
  const authors = useReviewAuthors(project, { ...rest, from_people: false }).data ?? []
  const isPerson = (one: string) => one.startsWith('person:') || one.startsWith('campaign:')
  const chosen = authors.filter((one) => (author === null ? !rest.from_people || isPerson(one.author) : one.author === author))
  const total = chosen.reduce((sum, one) => sum + one.num_items, 0)
  const left = Math.max(0, total - numDecided)
  const nameOf = (one: (typeof authors)[number]) =>
    one.name || t(one.author.startsWith('model:') ? 'review.by_model' : isPerson(one.author) ? 'somebody' : 'review.imported')
  const data = [
    { value: 'people', label: t('review.from_people') },
    { value: 'all', label: t('review.from_all') },
    ...authors.map((one) => ({ value: `by ${one.author}`, label: t('review.from_one', { name: nameOf(one), count: one.num_items }) })),
  ]
  const choose = (value: string) => {
    if (value.startsWith('by ')) onChange({ ...choice, author: value.slice(3), from_people: false })
    else onChange({ ...choice, author: null, from_people: value === 'people' })
  }
  return (
    <Group gap="sm" mb="sm">
      <Select
        size="xs"
        w={230}
        aria-label={t('review.from')}
        data={data}
        value={author === null ? (rest.from_people ? 'people' : 'all') : `by ${author}`}
        onChange={(value) => value && choose(value)}
      />
      <Select
        size="xs"
        w={150}
        aria-label={t('review.share')}
        data={SHARES.map((share) => ({
          value: String(share),
          label: t(share === 100 ? 'review.share_all' : 'review.share_some', { share }),
        }))}
        value={String(choice.share_percent)}
        onChange={(value) => value && onChange({ ...choice, share_percent: Number(value) })}
      />
      {total > 0 && (
        <>
          <Progress w={140} size="sm" value={(100 * (total - left)) / total} aria-label={t('review.left', { count: left })} />
          <Text size="sm" c="dimmed">
            {t('review.left', { count: left })}
          </Text>
        </>
      )}
    </Group>
  )
}
