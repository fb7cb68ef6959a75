import type { DefaultTheme, Theme } from 'vitepress'
import DefaultThemeWithoutFonts from 'vitepress/theme-without-fonts'

import { tokenize } from '../../tokenize'
import './colours.css'

export default {
  extends: DefaultThemeWithoutFonts,
  enhanceApp({ siteData }) {
    const { search } = siteData.value.themeConfig as DefaultTheme.Config
    if (search?.provider === 'local') search.options = { ...search.options, miniSearch: { options: { tokenize } } }
  },
} satisfies Theme
