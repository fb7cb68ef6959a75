// @vitest-environment jsdom
import { renderHook } from '@testing-library/react'
import { beforeAll, expect, it } from 'vitest'

import { setLanguage, startI18n } from '../i18n'
import zh from '../i18n/zh/refusals.json'
import { useFailureText, useWarningText } from './failure-text'

const server = { code: 'out_of_memory', message: 'DefaultCPUAllocator: can’t allocate 8 GB.', hint: 'Choose a smaller model.' }

beforeAll(startI18n)

it('shows a known code in the language that is shown and keeps the server’s sentence beside it', async () => {
  await setLanguage('zh')
  const shown = renderHook(() => useFailureText()).result.current(server)
  expect(shown.message).toMatch(/内存不足/)
  expect(shown.hint).toMatch(/请减小/)
  expect(shown.detail).toBe(server.message)
})

it('words a refusal that ended a job as a refusal elsewhere, with the server’s sentence beside it', async () => {
  await setLanguage('zh')
  const refused = { ...server, code: 'campaign_closed' }
  const { message, hint, detail } = renderHook(() => useFailureText()).result.current(refused)
  expect({ title: message, hint, detail }).toEqual({ ...zh.campaign_closed, detail: server.message })
})

it('falls back to the server’s sentence', async () => {
  await setLanguage('zh')
  const unknown = { ...server, code: 'archive_unknown' }
  expect(renderHook(() => useFailureText()).result.current(unknown)).toEqual({ ...unknown, detail: '' })
})

it('shows a known warning in the language that is shown, and others as the server does', async () => {
  await setLanguage('zh')
  const warningText = renderHook(() => useWarningText()).result.current
  expect(warningText({ code: 'finished_early', message: 'Somebody asked to finish.' })).toMatch(/提前结束/)
  expect(warningText({ code: 'parity_failed', message: 'The model a is left out.' })).toBe('The model a is left out.')
})
