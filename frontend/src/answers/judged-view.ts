import { useLocalStorage } from '@mantine/hooks'

export const VIEWS = ['differences', 'truth', 'answer'] as const

/** What lies over an item that is shown large: chosen beside it, and kept from item to item. */
export type View = (typeof VIEWS)[number]

export const useView = () => useLocalStorage<View>({ key: 'modelyard.judged-areas', defaultValue: 'differences' })
