import { Button, Drawer, Group, Input, MultiSelect, NumberInput, SegmentedControl, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { Project } from '../../../lib/api/types'
import { personText } from '../../../lib/person-text'
import { DayField } from '../../../ui/day-field'
import { ErrorState } from '../../../ui/error-state'
import { useCreateCampaign } from '../api/campaigns'
import { useProjectAccess } from '../../../lib/project/access'
import { campaignBody, campaignProblems, type CampaignForm, mostItems, NEW_CAMPAIGN } from '../model/campaign-form'

interface NewCampaignProps {
  project: Project
  onCreated: (campaign: string) => void
  onClose: () => void
}

const CAN_LABEL = new Set(['owner', 'engineer', 'labeller', 'annotator'])

/** Shares items out among people. */
export function NewCampaign({ project, onCreated, onClose }: NewCampaignProps) {
  const { t } = useTranslation('team')
  const access = useProjectAccess(project.id)
  const create = useCreateCampaign()
  const [form, setForm] = useState<CampaignForm>({ ...NEW_CAMPAIGN, max_items: mostItems(project.counts) })
  const [isTried, setTried] = useState(false)
  const wrong = isTried ? campaignProblems(form) : {}
  const set = (fields: Partial<CampaignForm>) => setForm({ ...form, ...fields })
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (Object.keys(campaignProblems(form)).length) return
    create.mutate(campaignBody(project.id, form), { onSuccess: ({ id }) => onCreated(id) })
  }
  const people = (access.data?.people ?? [])
    .filter(({ role }) => role && CAN_LABEL.has(role))
    .map((person) => ({ value: person.user, label: personText(person) }))
  return (
    <Drawer opened onClose={onClose} position="right" size="md" title={t('new.title')}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            data-autofocus
            required
            label={t('new.name')}
            value={form.title}
            error={wrong.title && t(wrong.title)}
            onChange={(event) => set({ title: event.currentTarget.value })}
          />
          <MultiSelect
            required
            searchable
            label={t('new.people')}
            description={t('new.people_text')}
            data={people}
            value={form.people}
            error={wrong.people && t(wrong.people, { count: form.opinions_per_item })}
            onChange={(chosen) => set({ people: chosen })}
          />
          <Textarea
            autosize
            minRows={2}
            label={t('new.instructions')}
            description={t('new.instructions_text')}
            value={form.instructions}
            onChange={(event) => set({ instructions: event.currentTarget.value })}
          />
          <Group grow align="flex-start">
            <NumberInput
              label={t('new.max_items')}
              description={t('new.max_items_text')}
              min={1}
              max={200_000}
              value={form.max_items}
              onChange={(value) => set({ max_items: Number(value) || 1 })}
            />
            <DayField
              w="auto"
              label={t('new.deadline')}
              description={t('new.deadline_text')}
              value={form.deadline}
              onChange={(day) => set({ deadline: day })}
            />
          </Group>
          <Input.Wrapper labelElement="div" label={t('new.opinions')} description={t('new.opinions_text')}>
            <SegmentedControl
              mt={5}
              fullWidth
              aria-label={t('new.opinions')}
              data={['1', '2', '3', '5']}
              value={String(form.opinions_per_item)}
              onChange={(value) => set({ opinions_per_item: Number(value) })}
            />
          </Input.Wrapper>
          {form.opinions_per_item > 1 && (
            <Input.Wrapper labelElement="div" label={t('new.merge')} description={t(`new.${form.merge}_text`)}>
              <SegmentedControl
                mt={5}
                fullWidth
                aria-label={t('new.merge')}
                data={(['majority', 'dawid_skene'] as const).map((value) => ({ value, label: t(`new.${value}`) }))}
                value={form.merge}
                onChange={(merge) => set({ merge: merge as CampaignForm['merge'] })}
              />
            </Input.Wrapper>
          )}
          <NumberInput
            label={t('new.gold')}
            description={t('new.gold_text')}
            min={0}
            max={1000}
            value={form.num_gold}
            onChange={(value) => set({ num_gold: Number(value) || 0 })}
          />
          {create.isError && <ErrorState error={create.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <Button type="submit" loading={create.isPending}>
              {t('new.create')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Drawer>
  )
}
