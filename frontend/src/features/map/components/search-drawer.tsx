import '@mantine/dropzone/styles.css'

import { ActionIcon, Alert, Drawer, Group, Stack, Text, TextInput } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconAlertTriangle, IconPhotoSearch, IconSearch } from '@tabler/icons-react'
import { type FormEvent, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ApiError } from '../../../lib/api/errors'
import { type LocalText, useLocalText } from '../../../lib/local-text'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { ItemThumb } from '../../../items/item-thumb'
import { useSimilarity } from '../../../items/use-similarity'
import { Progress } from '../../../ui/progress'
import { useSimilarTo } from '../api/get-similar'
import type { MapData } from '../api/get-map'
import { SimilarGrid, type SimilarGridProps } from './similar-grid'
import type { Search } from './use-search'

/** Safely fits the URL of a request, in any script. */
const TEXT_MAX = 500

interface SearchDrawerProps extends Omit<SimilarGridProps, 'items'> {
  project: string
  data: MapData
  search: Search
}

/** Finds items similar to a picture (dropped, pasted or chosen) or to a sentence. */
export function SearchDrawer({ project, data, search, ...grid }: SearchDrawerProps) {
  const { t } = useTranslation('map')
  const { takes, alikeFrom } = useSimilarity()
  const { query, ask } = search
  const similar = useSimilarTo(project, search.isOpen ? query : null)
  const found = similar.data ?? []
  return (
    <Drawer opened={search.isOpen} onClose={search.close} position="right" size="lg" title={t('search.title')}>
      <Stack gap="md">
        {takes === 'words' ? (
          <TextQuery isBusy={search.isOpen && query !== null && similar.isFetching} onAsk={ask} />
        ) : (
          <Dropzone multiple={false} p="sm" aria-label={t('search.drop')} onDrop={([file]) => file && ask(file)}>
            <FileQuery file={query?.query instanceof File ? query.query : null} />
          </Dropzone>
        )}
        <div aria-live="polite">
          {query && similar.isPending && <Pending code={codeOf(similar.failureReason)} data={data} />}
          {similar.isLoadingError && <Refused error={similar.error} onRetry={() => void similar.refetch()} />}
          {similar.data && found.length === 0 && <Text c="dimmed">{t('search.none')}</Text>}
          {alikeFrom !== null && found[0] && found[0].similarity < alikeFrom && (
            <Text size="sm" c="dimmed">
              {t('search.unlike')}
            </Text>
          )}
        </div>
        {found.length > 0 && <SimilarGrid items={found} {...grid} />}
      </Stack>
    </Drawer>
  )
}

function TextQuery({ isBusy, onAsk }: { isBusy: boolean; onAsk: (text: string) => void }) {
  const { t } = useTranslation('map')
  const [text, setText] = useState('')
  const ask = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim()) onAsk(text.trim())
  }
  return (
    <form onSubmit={ask}>
      <TextInput
        label={t('search.title')}
        description={t('search.drop')}
        type="search"
        maxLength={TEXT_MAX}
        data-autofocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        rightSection={
          <ActionIcon type="submit" variant="subtle" loading={isBusy} disabled={!text.trim()} aria-label={t('search.open')}>
            <IconSearch size={16} />
          </ActionIcon>
        }
      />
    </form>
  )
}

function FileQuery({ file }: { file: File | null }) {
  const { t } = useTranslation('map')
  const url = useMemo(() => (file ? URL.createObjectURL(file) : null), [file])
  useEffect(() => () => void (url && URL.revokeObjectURL(url)), [url])
  return (
    <Group wrap="nowrap" mih={72}>
      {url ? (
        <ItemThumb key={url} item={{ text: null, thumbnail_url: url }} alt={file?.name ?? ''} size={128} />
      ) : (
        <IconPhotoSearch size={36} stroke={1.2} />
      )}
      <Stack gap={4} miw={0}>
        {file && (
          <Text fw={600} truncate>
            {file.name}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {t(file ? 'search.again' : 'search.drop')}
        </Text>
      </Stack>
    </Group>
  )
}

/** What the answer waits for. */
function Pending({ code, data }: { code: string | null; data: MapData }) {
  const { t } = useTranslation('map')
  if (code === 'search_starting') return <Text c="dimmed">{t('search.starting')}</Text>
  if (code !== 'features_none') return <LoadingState />
  return (
    <Alert color="blue" title={t('looking')}>
      <Stack gap="xs">
        <Text size="sm">{t('search.looking')}</Text>
        <Progress fraction={data.features_done / Math.max(1, data.num_items)} isMoving />
      </Stack>
    </Alert>
  )
}

/** Why there is no answer, and what helps. */
function Refused({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation('map')
  const localText = useLocalText()
  if (codeOf(error) !== 'query_unusable') return <ErrorState error={error} onRetry={onRetry} />
  return (
    <Alert color="red" icon={<IconAlertTriangle size={18} />} title={t('search.unusable')} role="alert">
      {localText((error as ApiError).extra.reason_text as LocalText)}
    </Alert>
  )
}

function codeOf(error: Error | null): string | null {
  return error instanceof ApiError ? error.code : null
}
