import { Alert, createTheme, type CSSVariablesResolver, type MantineColor, type MantineColorsTuple } from '@mantine/core'

const accent: MantineColorsTuple = [
  '#eef4ff',
  '#dbe6fe',
  '#bfd3fe',
  '#93b4fd',
  '#6090fa',
  '#3b76f6',
  '#2563eb',
  '#1d4fd8',
  '#1e40af',
  '#1e3a8a',
]

/** The library's alerts are too bright in dark mode; a tint and a thin border are enough, with a title that can be read on them. */
function calmAlert(color: MantineColor) {
  const tint = (percent: number) => `color-mix(in srgb, var(--mantine-color-${color}-6) ${percent}%, transparent)`
  return {
    '--alert-bg': tint(9),
    '--alert-bd': `1px solid ${tint(35)}`,
    '--alert-color': `light-dark(color-mix(in srgb, var(--mantine-color-${color}-9) 80%, black), var(--mantine-color-${color}-3))`,
  }
}

/** Secondary text, dark enough to be read on any ground of the pages (WCAG 2.2, 4.5 to 1). */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: { '--mantine-color-dimmed': '#5c6773' },
  dark: { '--mantine-color-dimmed': '#a3adb8' },
})

/** The head of a dialog covers the margin above it: what scrolls would show there. */
const ABOVE = 'calc(-1 * var(--mantine-spacing-md))'
const sheet = {
  header: { top: ABOVE, marginTop: ABOVE, paddingTop: 'calc(2 * var(--mantine-spacing-md))' },
  title: { fontSize: 'var(--mantine-h2-font-size)', fontWeight: 600 },
}

/** Calm and dense: one accent, small text, a 4 px grid, thin lines instead of shadows. */
export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 5 },
  colors: { accent },
  defaultRadius: 'sm',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", "PingFang SC", "Microsoft YaHei", "WenQuanYi Micro Hei", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '18px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '20px', lineHeight: '28px' }, h2: { fontSize: '16px', lineHeight: '24px' }, h3: { fontSize: '14px' } },
  },
  components: {
    Alert: Alert.extend({ vars: (_, { color = 'accent' }) => ({ root: calmAlert(color) }) }),
    Button: { defaultProps: { size: 'xs' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm', allowDeselect: false } },
    NumberInput: { defaultProps: { size: 'sm' } },
    Textarea: { defaultProps: { size: 'sm', autosize: true, minRows: 2 } },
    Badge: { defaultProps: { radius: 'sm', variant: 'light', tt: 'none' } },
    Table: { defaultProps: { verticalSpacing: 6, horizontalSpacing: 'sm', highlightOnHover: true } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
    Modal: { defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.35, blur: 1 } }, styles: sheet },
    Drawer: { styles: sheet },
    Paper: { defaultProps: { withBorder: true, p: 'md' } },
  },
})
