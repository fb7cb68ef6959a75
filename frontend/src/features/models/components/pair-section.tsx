import { SegmentedControl, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'

import { formatAmount, formatFraction } from '../../../charts/format/format'
import { ErrorState } from '../../../ui/error-state'
import { LoadMore } from '../../../ui/load-more'
import { LoadingState } from '../../../ui/loading-state'
import { Section } from '../../../ui/section'
import { usePairItems } from '../api/get-pair'
import type { Artefact, JudgedItem, Pair, PairOutcome } from '../api/types'
import type { SplitName } from '../model/items-query'
import { formatP, pairVerdict } from '../model/pair'
import { ItemViewer } from './item-viewer'
import { JudgedList } from './judged-list'
import { JudgedStage } from './judged-stage'

interface PairSectionProps {
  left: Artefact
  right: Artefact
  split: SplitName
  pair: Pair
  /** Of rows: the columns as they are listed. */
  columns?: readonly string[] | undefined
}

/** Two models on the same items: who is better by a paired test, what the right one mends and what it breaks. */
export function PairSection({ left, right, split, pair, columns }: PairSectionProps) {
  const { t } = useTranslation('models')
  const [search, setSearch] = useSearchParams()
  const names = { left: t('name', { number: left.number }), right: t('name', { number: right.number }) }
  const outcome: PairOutcome = search.get('pair') === 'broken' ? 'broken' : 'fixed'
  const kind = pair.is_amount ? 'amount' : 'share'
  return (
    <Section
      title={pair.test ? t(`pair.verdict.${pairVerdict(pair)}`, names) : t('pair.title')}
      help={<TestSentence pair={pair} names={names} />}
      actions={
        <SegmentedControl
          size="xs"
          styles={{ label: { whiteSpace: 'normal' } }}
          aria-label={t('pair.outcome')}
          value={outcome}
          data={(['fixed', 'broken'] as const).map((each) => ({
            value: each,
            label: t(`pair.${kind}.${each}`, { ...names, number: each === 'fixed' ? pair.num_fixed : pair.num_broken }),
          }))}
          onChange={(chosen) => {
            search.set('pair', chosen)
            setSearch(search, { replace: true })
          }}
          style={{ flex: 'none' }}
        />
      }
    >
      <PairItems key={outcome} left={left} right={right} split={split} outcome={outcome} columns={columns} />
    </Section>
  )
}

function TestSentence({ pair: { test, is_amount, num_items }, names }: { pair: Pair; names: { left: string; right: string } }) {
  const { t } = useTranslation('models')
  if (!test) return t('pair.no_test')
  const format = is_amount ? formatAmount : formatFraction
  const signed = (value: number) => `${value > 0 ? '+' : ''}${format(value)}`
  const [from, to] = test.interval.map(signed)
  const values = { ...names, count: num_items, difference: signed(test.difference), from, to, p: formatP(test.p_value) }
  return t(is_amount ? 'pair.amount.test' : 'pair.share.test', values)
}

interface PairItemsProps extends Omit<PairSectionProps, 'pair'> {
  outcome: PairOutcome
}

/** The wrong answers of the one that the other has right; each opens large with both answers. */
function PairItems({ left, right, split, outcome, columns }: PairItemsProps) {
  const { t } = useTranslation('models')
  const [search, setSearch] = useSearchParams()
  const [isShown, { toggle }] = useDisclosure()
  const found = usePairItems(left.id, right.id, split, outcome)
  const { data, hasNextPage, fetchNextPage } = found
  const side = outcome === 'fixed' ? 'before' : 'after'
  const pairs = useMemo(() => data?.pages.flatMap((page) => page.items), [data])
  const items = useMemo(() => pairs?.map((pair) => pair[side]), [pairs, side])
  if (found.isPending) return <LoadingState rows={1} height={160} />
  if (found.isLoadingError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  const open = (item: string | null) => {
    if (item === null) search.delete('item')
    else search.set('item', item)
    setSearch(search, { replace: true })
  }
  const { thresholds } = (outcome === 'fixed' ? left : right).manifest
  const item = search.get('item')
  return (
    <Stack gap="sm">
      {items?.length ? (
        <JudgedList items={items} thresholds={thresholds} columns={columns} onItem={open} />
      ) : (
        <Text size="sm" c="dimmed">
          {t('pair.none')}
        </Text>
      )}
      <LoadMore query={found} />
      {item !== null && (
        <ItemViewer
          project={left.project}
          name={t('comparison.title')}
          item={item}
          listed={{
            items,
            total: data?.pages[0]?.num_items ?? 0,
            error: found.error,
            retry: () => void found.refetch(),
            isMoreComing: found.isFetchingNextPage,
            more: hasNextPage && !found.isFetchingNextPage && !found.isFetchNextPageError ? () => void fetchNextPage() : null,
          }}
          onItem={open}
          onClose={() => open(null)}
          onEvidence={toggle}
        >
          {(shown) => {
            const pair = pairs?.find((each) => each.before.item === shown.item)
            if (!pair) return null
            const sideOf = (model: Artefact, judged: JudgedItem) => ({
              item: judged,
              artefact: model.id,
              thresholds: model.manifest.thresholds,
              title: t('name', { number: model.number }),
            })
            return <JudgedStage sides={[sideOf(left, pair.before), sideOf(right, pair.after)]} evidence={{ isShown, toggle }} />
          }}
        </ItemViewer>
      )}
    </Stack>
  )
}
