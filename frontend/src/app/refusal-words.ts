import { loadRefusalWords } from '../i18n'
import { api } from '../lib/api/client'

/**
 * Brings the words of refusals before the first refusal is shown: the pages before the sign-in start without them. Without a
 * connection the server's own sentence stands instead.
 */
export function wordRefusals(): void {
  api.use({
    async onResponse({ response }) {
      if (!response.ok) await loadRefusalWords().catch(() => undefined)
    },
  })
}
