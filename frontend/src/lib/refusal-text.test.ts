// @vitest-environment jsdom
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { setItemKind, setLanguage, startI18n } from '../i18n'
import en from '../i18n/en/refusals.json'
import jobs from '../i18n/zh/jobs'
import zh from '../i18n/zh/refusals.json'
import { ApiError, type Param } from './api/errors'
import { fieldErrors } from './field-errors'
import { refusalText } from './refusal-text'

const closed = new ApiError(409, 'campaign_closed', 'The campaign is closed', 'It ended on Friday.', 'Ask.', { state: ['is closed'] })
const refused = (code: string, params: Record<string, Param>, extra = {}) =>
  new ApiError(409, code, 'In English', 'Also in English.', 'Do this.', {}, extra, params)

const { failure } = jobs

describe('a refusal', () => {
  beforeAll(() => startI18n())
  afterAll(() => setItemKind(undefined))

  it('keeps the particulars of the server where the dictionary has none', async () => {
    await setLanguage('en')
    expect(refusalText(closed)).toEqual({ title: closed.title, detail: closed.detail, hint: closed.hint })
    expect(fieldErrors(closed)).toEqual({ state: closed.detail })
  })

  it('is worded in Chinese where the code is known', async () => {
    await setLanguage('zh')
    expect(refusalText(closed)).toEqual({ title: zh.campaign_closed.title, detail: '', hint: zh.campaign_closed.hint })
    expect(fieldErrors(closed)).toEqual({ state: zh.campaign_closed.title })
  })

  it('of an export is worded like the failure of one, with the particulars of the server', async () => {
    const failed = refused('option_invalid', {})
    await setLanguage('zh')
    expect(refusalText(failed)).toEqual({ title: failure.option_invalid.message, detail: failed.detail, hint: failure.option_invalid.hint })
    await setLanguage('en')
    expect(refusalText(failed).title).toBe(failed.title)
  })

  it('names in each language what the server names', async () => {
    const taken = refused('deployment_slug_taken', { slug: 'birds' })
    const full = refused('storage_quota_exceeded', { used: 2 ** 30, limit: 2 ** 31 })
    const used = refused('label_in_use', { labels: ['rose', 'tulip'] })
    await setLanguage('zh')
    expect(refusalText(taken)).toEqual({ ...zh.deployment_slug_taken, detail: '另一个部署已使用地址“birds”。' })
    expect(refusalText(full).detail).toBe('已使用 1.0 GB，配额为 2.0 GB。')
    expect(refusalText(used).detail).toBe('已有标注使用rose和tulip。')
    await setLanguage('en')
    expect(refusalText(taken)).toEqual({ ...en.deployment_slug_taken, detail: 'Another deployment has the address “birds”.' })
    expect(refusalText(used).detail).toBe('Annotations use rose and tulip.')
  })

  it('shows a value that has languages in the language that is shown', async () => {
    const weak = refused('password_too_weak', { reason: { en: 'It is a common password.', zh: '这是常见密码。' } })
    await setLanguage('zh')
    expect(refusalText(weak)).toEqual({ ...zh.password_too_weak, detail: '这是常见密码。' })
    await setLanguage('en')
    expect(refusalText(weak).detail).toBe('It is a common password.')
  })

  it('chooses among the sentences for a code, with the nouns of the project', async () => {
    const empty = (params: Record<string, Param>) => refusalText(refused('campaign_empty', params))
    await setLanguage('en')
    await setItemKind('text')
    expect(empty({ context: 'answers', opinions: 3, people: 2 })).toEqual({
      title: en.campaign_empty.title,
      detail: '3 answers for a text need as many people; 2 are chosen.',
      hint: en.campaign_empty.hint_answers,
    })
    await setLanguage('zh')
    expect(empty({ context: 'items' }).detail).toBe('没有待标注的文本。')
    expect(refusalText(refused('evaluation_unfit', { context: 'split', split: 'test' })).detail).toBe('该版本的“测试”划分中没有文本。')
  })

  it('shows what a user wrote as it was written', async () => {
    await setLanguage('en')
    expect(refusalText(refused('last_owner', { name: '$t(common:cancel) & {{x}}' })).detail).toBe(
      'You are the only owner of “$t(common:cancel) & {{x}}”.',
    )
  })

  it('shows no sentence with a gap', async () => {
    await setLanguage('zh')
    expect(refusalText(refused('last_owner', {})).detail).toBe('')
    await setLanguage('en')
    expect(refusalText(refused('last_owner', {})).detail).toBe('Also in English.')
  })

  it('reports the problems of a dataset in the language of the page', async () => {
    const problems = [{ message: { en: 'Too few.', zh: '太少。' }, remedy: { en: 'Add more.', zh: '请补充。' } }]
    await setLanguage('zh')
    expect(refusalText(refused('study_blocked', {}, { problems }))).toEqual({
      title: zh.study_blocked.title,
      detail: '太少。',
      hint: '请补充。',
    })
  })

  it('keeps the server’s words for a code that nobody translated', async () => {
    await setLanguage('zh')
    expect(refusalText(new ApiError(409, 'brand_new', 'New', 'Just so.', 'Wait.')).title).toBe('New')
  })
})
