import i18next from 'i18next'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import en from '../i18n/en/refusals'
import zh from '../i18n/zh/refusals'
import { ApiError } from './api/errors'
import { fieldErrors } from './field-errors'
import { refusalText } from './refusal-text'

const taken = new ApiError(409, 'deployment_slug_taken', 'The address is taken', "Another deployment has 'a'.", 'Choose another.', {
  slug: ['is taken'],
})

describe('a refusal', () => {
  beforeAll(() => i18next.init({ lng: 'en', resources: { en: { refusals: en }, zh: { refusals: zh } } }))
  afterAll(() => i18next.changeLanguage('en'))

  it('keeps the particulars of the server in its own language', async () => {
    await i18next.changeLanguage('en')
    expect(refusalText(taken)).toEqual({ title: taken.title, detail: taken.detail, hint: taken.hint })
    expect(fieldErrors(taken)).toEqual({ slug: "Another deployment has 'a'." })
  })

  it('is said in Chinese where the code is known', async () => {
    await i18next.changeLanguage('zh')
    expect(refusalText(taken)).toEqual({ title: zh.deployment_slug_taken.title, detail: '', hint: zh.deployment_slug_taken.hint })
    expect(fieldErrors(taken)).toEqual({ slug: zh.deployment_slug_taken.title })
  })

  it('keeps the server’s words for a code that nobody translated', async () => {
    await i18next.changeLanguage('zh')
    expect(refusalText(new ApiError(409, 'brand_new', 'New', 'Just so.', 'Wait.')).title).toBe('New')
  })
})
