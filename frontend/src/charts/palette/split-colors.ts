/** One colour for each split, everywhere. */
export const SPLIT_COLORS: Record<string, string> = {
  train: 'var(--mantine-primary-color-filled)',
  validation: 'var(--mantine-color-orange-5)',
  test: 'var(--mantine-color-teal-6)',
}

export const SPLITS = ['train', 'validation', 'test'] as const
