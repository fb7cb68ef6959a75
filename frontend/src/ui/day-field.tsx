import '@mantine/dates/styles.css'
import 'dayjs/locale/zh-cn'

import { DateInput, type DateInputProps } from '@mantine/dates'
import { useTranslation } from 'react-i18next'

import { languageOf } from '../i18n/item-words'

const LOCALES: Record<string, string> = { en: 'en', zh: 'zh-cn' }

type DayFieldProps = Pick<DateInputProps, 'label' | 'minDate' | 'description' | 'error' | 'w' | 'popoverProps'> & {
  /** As in `2026-03-14`. */
  value: string | null
  onChange: (day: string | null) => void
}

/** A day, typed or picked, in the language of the pages; a browser's own field speaks the browser's. */
export function DayField(props: DayFieldProps) {
  const { t, i18n } = useTranslation('common')
  return (
    <DateInput
      {...props}
      clearable
      hideOutsideDates
      ariaLabels={{ previousMonth: t('month.previous'), nextMonth: t('month.next') }}
      size="sm"
      w={props.w ?? 150}
      locale={LOCALES[languageOf(i18n.language)] ?? 'en'}
      valueFormat="YYYY-MM-DD"
      placeholder="YYYY-MM-DD"
    />
  )
}
