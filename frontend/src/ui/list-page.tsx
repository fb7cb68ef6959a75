import { type ReactNode, useEffect } from 'react'
import { useNavigate } from 'react-router'

import type { Unreadable } from '../lib/api/types'
import { type Column, DataTable } from './data-table'
import { ErrorState } from './error-state'
import { LoadMore } from './load-more'
import { LoadingState } from './loading-state'
import { PageHeader } from './page-header'
import { UnreadableRows } from './unreadable'
import { type KeptSort, useSort } from './use-sort'

interface ListPageProps<Row> {
  title: string
  lead: ReactNode
  actions?: ReactNode
  /** Makes the first row and any other: in the header, unless the list is empty, where `empty` has it. */
  create?: ReactNode
  query: {
    data: { pages: readonly { items: readonly Row[]; unreadable?: readonly Unreadable[] }[] } | undefined
    error: unknown
    isPending: boolean
    isLoadingError: boolean
    refetch: () => unknown
    hasNextPage: boolean
    isFetchNextPageError: boolean
    isFetchingNextPage: boolean
    fetchNextPage: () => unknown
  }
  columns: Column<Row>[]
  /** Shown in the place of an empty list. */
  empty: ReactNode
  /** Whether rows open pages of their own. */
  isOpened?: boolean
  /** Without it the list is as it comes until somebody sorts it, and on the next visit again. */
  keptSort?: KeptSort
  /** Shown above a list that is not empty. */
  above?: ReactNode
}

/** A page that is one list, whose rows open the pages of their ids. A list that is sorted is fetched to its end first. */
export function ListPage<Row extends { id: string }>({
  title,
  lead,
  actions,
  create,
  query,
  columns,
  empty,
  above,
  keptSort,
  isOpened = true,
}: ListPageProps<Row>) {
  const navigate = useNavigate()
  const rows = query.data?.pages.flatMap((page) => page.items) ?? []
  const unreadable = query.data?.pages.flatMap((page) => page.unreadable ?? []) ?? []
  const [sort, onSort] = useSort(keptSort)
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const isShort = sort !== null && hasNextPage && !isFetchingNextPage && !isFetchNextPageError
  useEffect(() => {
    if (isShort) void fetchNextPage()
  }, [isShort, fetchNextPage])
  const isEmpty = query.data !== undefined && rows.length + unreadable.length === 0
  const main = !isEmpty && create
  return (
    <>
      <PageHeader
        title={title}
        subtitle={lead}
        actions={
          (actions || main) && (
            <>
              {actions}
              {main}
            </>
          )
        }
      />
      {query.isPending && <LoadingState />}
      {query.isLoadingError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {isEmpty && empty}
      {rows.length > 0 && (
        <>
          {above}
          <DataTable
            caption={title}
            columns={columns}
            rows={rows}
            rowKey={(row) => row.id}
            onRowClick={isOpened ? (row) => void navigate(row.id) : undefined}
            sort={sort}
            onSort={onSort}
          />
        </>
      )}
      <UnreadableRows rows={unreadable} />
      <LoadMore query={query} />
    </>
  )
}
