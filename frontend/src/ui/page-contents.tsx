import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { IconList } from '@tabler/icons-react'
import { type RefObject, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import classes from './page-contents.module.css'

/** The titles of the sections in an element, in their order; follows as sections come and go. */
export function useContents(root: RefObject<HTMLElement | null>): HTMLElement[] {
  const [titles, setTitles] = useState<HTMLElement[]>([])
  useEffect(() => {
    const element = root.current
    if (!element) return
    const read = () => {
      const found = [...element.querySelectorAll<HTMLElement>('section h2')]
      setTitles((known) => (known.length === found.length && known.every((one, place) => one === found[place]) ? known : found))
    }
    read()
    const observer = new MutationObserver(read)
    observer.observe(element, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [root])
  return titles
}

const goTo = (title: HTMLElement) => title.closest('section')?.scrollIntoView({ block: 'start' })

/** The contents of a long page, in view beside it where there is room. */
export function ContentsList({ titles }: { titles: readonly HTMLElement[] }) {
  const { t } = useTranslation('common')
  const current = useCurrent(titles)
  return (
    <nav className={classes.list} aria-label={t('contents')} data-no-print>
      <ol>
        {titles.map((title, place) => (
          <li key={place}>
            <button type="button" aria-current={place === current ? 'location' : undefined} onClick={() => goTo(title)}>
              {title.textContent}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** The same as a menu, where there is no room for the list. */
export function ContentsMenu({ titles }: { titles: readonly HTMLElement[] }) {
  const { t } = useTranslation('common')
  return (
    <div className={classes.menu} data-no-print>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Tooltip label={t('contents')}>
            <ActionIcon variant="default" aria-label={t('contents')}>
              <IconList size={16} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown mah="70vh" style={{ overflowY: 'auto' }}>
          {titles.map((title, place) => (
            <Menu.Item key={place} onClick={() => goTo(title)}>
              {title.textContent}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}

/** The last section that has reached the upper part of the window. */
function useCurrent(titles: readonly HTMLElement[]): number {
  const [current, setCurrent] = useState(0)
  useEffect(() => {
    const follow = () => {
      const passed = titles.filter((title) => title.getBoundingClientRect().top < innerHeight / 3).length
      setCurrent(Math.max(0, passed - 1))
    }
    follow()
    addEventListener('scroll', follow, { passive: true })
    return () => removeEventListener('scroll', follow)
  }, [titles])
  return current
}
