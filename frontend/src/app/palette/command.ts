/** What the palette offers, and which of it fits what was typed. */
import { defaultFilter } from 'cmdk'
import PinyinMatch from 'pinyin-match'

import type { NavEntry } from '../feature'

/** In the order in which they are shown while nothing is typed. */
export const SECTIONS = ['page', 'recent', 'project', 'places', 'workspace', 'general'] as const
export type Section = (typeof SECTIONS)[number]

export interface Command {
  /** Once in the palette. */
  id: string
  section: Section
  label: string
  icon: NavEntry['icon']
  /** Where it is, or what else tells it from its like; shown beside and searched. */
  detail?: string
  /** Further words that find it. */
  words?: string[]
  /** Where it goes, for what was opened lately. */
  href?: string
  run: () => void
}

const MOST_FOUND = 40
/** How many of a section are shown while nothing is typed. */
const FIRST: Record<Section, number> = { page: 8, recent: 6, project: 20, places: 5, workspace: 12, general: 12 }
/** What was opened last counts up to this much more; the best fit counts one. */
const RECENT_BONUS = 0.05
/** Words beside the label count less than the label itself. */
const BESIDE = 0.6

/** How well a text fits what was typed, 0 to 1: letters in their order, Chinese also by its sounds or their initials. */
function fitOf(text: string, typed: string): number {
  const plain = defaultFilter(text, typed)
  if (plain > 0.5 || !/^[a-z\s]+$/i.test(typed)) return plain
  const sounds = PinyinMatch.match(text, typed)
  return Array.isArray(sounds) ? Math.max(plain, sounds[0] === 0 ? 0.9 : 0.6) : plain
}

/** The best fit first; what was opened lately before what fits as well. */
export function found(commands: readonly Command[], typed: string, recent: readonly string[]): Command[] {
  const places = new Map(recent.map((href, place) => [href, 1 - place / recent.length]))
  return commands
    .map((command) => {
      const beside = [command.detail ?? '', ...(command.words ?? [])].map((text) => BESIDE * fitOf(text, typed))
      const whole = BESIDE * fitOf(`${command.label} ${command.detail ?? ''}`, typed)
      const fit = Math.max(fitOf(command.label, typed), whole, ...beside)
      return { command, fit: fit && fit + RECENT_BONUS * (places.get(command.href ?? '') ?? 0) }
    })
    .filter(({ fit }) => fit > 0)
    .sort((one, other) => other.fit - one.fit)
    .slice(0, MOST_FOUND)
    .map(({ command }) => command)
}

/** What is shown while nothing is typed: by section, what was opened lately apart. */
export function sections(commands: readonly Command[], recent: readonly string[], present: string): [Section, Command[]][] {
  const byAddress = new Map(commands.filter(({ href }) => href).map((command) => [command.href, command]))
  const lately = recent
    .filter((href) => href !== present)
    .flatMap((href) => byAddress.get(href) ?? [])
    .slice(0, FIRST.recent)
  return SECTIONS.map((section): [Section, Command[]] => {
    const own = section === 'recent' ? lately : commands.filter((command) => command.section === section && !lately.includes(command))
    return [section, own.slice(0, FIRST[section])]
  }).filter(([, own]) => own.length > 0)
}
