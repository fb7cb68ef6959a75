import '@mantine/dropzone/styles.css'

import { Button, Center, Divider, Group, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { useAnswerKind } from '../../../answers'
import { useSimilarity } from '../../../items/use-similarity'
import { useProjectId } from '../../../lib/project/project'
import { useHasRole } from '../../../lib/session/session'
import { useShortcuts } from '../../../lib/shortcuts/use-shortcuts'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { PageHeader } from '../../../ui/page-header'
import { type MapData, useDrawMap, useMap } from '../api/get-map'
import { Legend } from '../components/legend'
import classes from '../components/map.module.css'
import { MapStage } from '../components/map-stage'
import { SearchDrawer } from '../components/search-drawer'
import { SelectionPanel } from '../components/selection-panel'
import { SimilarDrawer } from '../components/similar-drawer'
import { useMapPage } from '../components/use-map-page'
import { type Search, useSearch } from '../components/use-search'
import { Waiting } from '../components/waiting'

const NONE: ReadonlySet<string> = new Set()

/** The data set in the plane: like lies beside like, so that what is odd, mixed up or missing shows at a glance. */
export function Component() {
  const { t } = useTranslation('map')
  const project = useProjectId()
  const map = useMap(project)
  const { takes, Icon: SearchIcon } = useSimilarity()
  const search = useSearch(takes)
  const canLabel = useHasRole('labeller')
  const hasMap = map.data?.map != null
  useShortcuts('map', { search: () => map.data && map.data.num_items > 0 && search.open() })
  return (
    <>
      <PageHeader
        title={t('title')}
        subtitle={t('lead')}
        actions={
          <Group gap="sm">
            {map.data && hasMap && <MapState data={map.data} project={project} canDraw={canLabel} />}
            {map.data && map.data.num_items > 0 && (
              <Button variant="default" leftSection={<SearchIcon size={16} />} onClick={search.open}>
                {t('search.open')}
              </Button>
            )}
          </Group>
        }
      />
      {map.isPending && <LoadingState />}
      {map.isLoadingError && <ErrorState error={map.error} onRetry={() => void map.refetch()} />}
      {map.data && !hasMap && (
        <>
          <Waiting data={map.data} project={project} canDraw={canLabel} />
          <SearchDrawer project={project} data={map.data} search={search} picked={NONE} />
        </>
      )}
      {map.data && hasMap && <Drawn data={map.data} project={project} search={search} />}
      <Dropzone.FullScreen multiple={false} active={!search.isOpen && takes === 'file'} onDrop={([file]) => file && search.ask(file)}>
        <Center h="100%" style={{ pointerEvents: 'none' }}>
          <Text size="xl">{t('search.drop_here')}</Text>
        </Center>
      </Dropzone.FullScreen>
    </>
  )
}

function MapState({ data, project, canDraw }: { data: MapData; project: string; canDraw: boolean }) {
  const { t } = useTranslation('map')
  const draw = useDrawMap(project)
  const isMissing = data.num_missing > 0
  useShortcuts('map', { redraw: () => canDraw && data.job === null && !draw.isPending && draw.mutate() })
  return (
    <Group gap="sm">
      <Text size="sm" c="dimmed">
        {t('shown', { count: data.items.length })}
        {isMissing && ` · ${t('missing', { count: data.num_missing })}`}
      </Text>
      {canDraw && (
        <Button
          variant={isMissing ? 'light' : 'default'}
          leftSection={<IconRefresh size={16} />}
          loading={draw.isPending || data.job !== null}
          onClick={() => draw.mutate()}
        >
          {t('redraw')}
        </Button>
      )}
    </Group>
  )
}

function Drawn({ data, project, search }: { data: MapData; project: string; search: Search }) {
  const page = useMapPage(data, project)
  const isLabeller = useHasRole('labeller')
  const { isOfWhole } = useAnswerKind()
  const canDelete = useHasRole('engineer')
  const canLabel = isLabeller && isOfWhole
  const label = (name: string | undefined) => name !== undefined && canLabel && page.act({ kind: 'label', label: name })
  useShortcuts('map', {
    select_none: () => page.select([], false),
    quarantine: () => canDelete && page.act({ kind: 'quarantine' }),
    delete: () => canDelete && page.act({ kind: 'delete' }),
    ...Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`label_${index + 1}`, () => label(data.labels[index])])),
  })
  return (
    <div className={classes.page}>
      <MapStage
        data={data}
        coloring={page.coloring}
        isHidden={page.isHidden}
        selected={page.selected}
        active={page.active}
        onActive={page.setActive}
        onOpen={(index) => page.openSimilar(data.items[index] ?? null)}
        onSelect={page.select}
      />
      <Stack className={classes.side} gap="md">
        <SelectionPanel
          items={page.selectedItems}
          labels={data.labels}
          canLabel={canLabel}
          canDelete={canDelete}
          isBusy={page.isBusy}
          onAct={page.act}
          onSimilar={page.openSimilar}
          onClear={() => page.select([], false)}
        />
        <Divider />
        <Legend
          by={page.by}
          onBy={page.setBy}
          legend={page.coloring.legend}
          isHidden={page.isHidden}
          onToggle={page.toggle}
          onSelect={page.selectEntry}
        />
      </Stack>
      <SimilarDrawer
        item={page.similar}
        picked={page.pickedItems}
        onPick={page.pick}
        onSimilar={page.openSimilar}
        onClose={() => page.openSimilar(null)}
      />
      <SearchDrawer
        project={project}
        data={data}
        search={search}
        picked={page.pickedItems}
        onPick={page.pick}
        onSimilar={(item) => {
          search.close()
          page.openSimilar(item)
        }}
      />
    </div>
  )
}
