import { Badge, Button, Code, Group, Image, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { CopyButton } from '../../../ui/copy-button'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { useCodes, useFactor, useNewCodes, useSetup, useSwitchOff, useSwitchOn } from '../api/security'
import { useFresh } from './fresh'

/** A code of an authenticator app as the second step of signing in. */
export function SecondFactor() {
  const { t } = useTranslation('settings')
  const factor = useFactor()
  return (
    <Paper>
      <Stack gap="sm">
        <Group gap="sm">
          <Title order={2}>{t('factor.title')}</Title>
          {factor.data?.is_on && <Badge color="teal">{t('factor.on')}</Badge>}
        </Group>
        <Text size="sm" c="dimmed">
          {t('factor.text')}
        </Text>
        {factor.isPending && <LoadingState rows={1} />}
        {factor.isLoadingError && <ErrorState error={factor.error} onRetry={() => void factor.refetch()} />}
        {factor.data && (
          <Switch isOn={factor.data.is_on} numCodes={factor.data.num_recovery_codes} hasPassword={factor.data.has_password} />
        )}
      </Stack>
    </Paper>
  )
}

function Switch({ isOn, numCodes, hasPassword }: { isOn: boolean; numCodes: number; hasPassword: boolean }) {
  const { t } = useTranslation('settings')
  const setup = useSetup()
  const on = useSwitchOn()
  const off = useSwitchOff()
  const codes = useCodes()
  const newCodes = useNewCodes()
  const [shown, setShown] = useState<string[]>([])
  const { run, dialog, error } = useFresh(hasPassword)
  const show = ({ codes: made }: { codes: string[] }) => setShown(made)
  const switchOn = (code: string) =>
    run(async () => {
      await on.mutateAsync(code)
      setup.reset()
      show(await codes.mutateAsync(undefined))
    })
  const switchOff = () => run(() => off.mutateAsync(undefined).then(() => setShown([])))
  return (
    <Stack gap="sm">
      {!isOn && !setup.data && (
        <Group>
          <Button loading={setup.isPending} onClick={() => setup.mutate(undefined)}>
            {t('factor.set_up')}
          </Button>
        </Group>
      )}
      {setup.isError && <ErrorState error={setup.error} />}
      {!isOn && setup.data && <Setup secret={setup.data.secret} svg={setup.data.svg} onCode={switchOn} isBusy={on.isPending} />}
      {isOn && (
        <>
          <Text size="sm">{t('factor.codes_left', { count: numCodes })}</Text>
          <Group>
            <Button variant="default" onClick={() => run(() => codes.mutateAsync(undefined).then(show))}>
              {t('factor.show_codes')}
            </Button>
            <Button variant="default" onClick={() => run(() => newCodes.mutateAsync(undefined).then(show))}>
              {t('factor.new_codes')}
            </Button>
            <Button variant="light" color="red" loading={off.isPending} onClick={switchOff}>
              {t('factor.switch_off')}
            </Button>
          </Group>
          {shown.length > 0 && <Codes codes={shown} />}
        </>
      )}
      {error !== null && <ErrorState error={error} />}
      {dialog}
    </Stack>
  )
}

function Setup({ secret, svg, onCode, isBusy }: { secret: string; svg: string; onCode: (code: string) => void; isBusy: boolean }) {
  const { t } = useTranslation('settings')
  const form = useForm({ initialValues: { code: '' } })
  return (
    <Group align="flex-start" gap="lg">
      <Image src={`data:image/svg+xml,${encodeURIComponent(svg)}`} w={180} h={180} bg="white" alt={t('factor.qr')} />
      <form style={{ flex: 1, minWidth: 240 }} onSubmit={form.onSubmit(({ code }) => onCode(code))}>
        <Stack gap="sm">
          <Text size="sm">{t('factor.scan')}</Text>
          <Group gap="xs" wrap="nowrap">
            <Code style={{ overflowWrap: 'anywhere' }}>{secret}</Code>
            <CopyButton value={secret} />
          </Group>
          <TextInput
            label={t('factor.code')}
            description={t('factor.code_text')}
            required
            autoComplete="one-time-code"
            inputMode="numeric"
            {...form.getInputProps('code')}
          />
          <Group>
            <Button type="submit" loading={isBusy}>
              {t('factor.switch_on')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Group>
  )
}

function Codes({ codes }: { codes: string[] }) {
  const { t } = useTranslation('settings')
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {t('factor.codes_text')}
      </Text>
      <Group align="flex-start" wrap="nowrap">
        <Code block>{codes.join('\n')}</Code>
        <CopyButton value={codes.join('\n')} />
      </Group>
    </Stack>
  )
}
