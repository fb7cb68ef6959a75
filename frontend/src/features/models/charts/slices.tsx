import { Accordion, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { Section } from '../../../ui/section'
import { SliceList } from '../components/slice-list'
import { sliceDomain } from '../model/slices'
import type { ChartProps, ReportChart } from './chart'

/** Parts of the items on which the model does worse, and those where that may be chance. */
function Chart({ split: { slices: found }, onItems }: ChartProps) {
  const { t } = useTranslation('report')
  if (!found) return null
  const { num_worse: count, num_tested: tested, measure } = found
  const placed = found.slices.map((slice, place) => ({ slice, place }))
  const [sure, others] = [placed.filter(({ slice }) => slice.is_worse), placed.filter(({ slice }) => !slice.is_worse)]
  const props = {
    measure,
    domain: sliceDomain(found.slices, measure !== 'absolute_error'),
    onOpen: (place: number) => onItems({ kind: 'slice', place }),
  }
  return (
    <Section title={t('slices')} help={t('slices_help', { tested })}>
      <Text size="sm" mb={sure.length > 0 ? 'xs' : 0}>
        {count > 0 ? t('slices_some', { count, tested }) : t('slices_none', { tested })}
      </Text>
      {sure.length > 0 && <SliceList slices={sure} {...props} />}
      {others.length > 0 && (
        <Accordion mt="sm" data-no-print>
          <Accordion.Item value="others">
            <Accordion.Control>
              <Text size="sm">{t('slices_chance', { count: others.length })}</Text>
            </Accordion.Control>
            <Accordion.Panel>
              <SliceList slices={others} {...props} />
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
      )}
      {placed.length > 0 && (
        <Text size="xs" c="dimmed" mt="xs">
          {t('slices_bars')}
        </Text>
      )}
    </Section>
  )
}

export default { name: 'slices', Chart } satisfies ReportChart
