/** What can be done on the page at hand: the buttons of its head, as the page itself shows them. */
import { IconPointer } from '@tabler/icons-react'

import type { Command } from './command'

export function pageActions(): Command[] {
  const buttons = [...document.querySelectorAll<HTMLElement>('[data-page-actions] :is(button, a[href])')]
  const commands = buttons
    .filter((button) => button.checkVisibility() && !button.matches(':disabled, [data-disabled], [aria-disabled=true]'))
    .map((button) => ({ button, label: (button.getAttribute('aria-label') ?? button.innerText).trim() }))
    .filter(({ label }, place, all) => label !== '' && all.findIndex((other) => other.label === label) === place)
  return commands.map(({ button, label }) => ({
    id: `page:${label}`,
    section: 'page',
    label,
    icon: IconPointer,
    run: () => {
      button.focus()
      button.click()
    },
  }))
}
