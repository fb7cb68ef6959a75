import { useLocalStorage } from '@mantine/hooks'

/** Whether heat maps lie over pictures: switched beside one, and kept from picture to picture. */
export const useIsShown = () => useLocalStorage<boolean>({ key: 'modelyard.heat-map', defaultValue: true })
