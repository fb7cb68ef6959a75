import { Text, VisuallyHidden } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Frame, ticksOf } from '../frame/frame'
import { linearScale, type Scale } from '../scale/scale'
import { heightOf, lastKnown, namedPlaces, stacked, stretches, type Series } from './periods'
import classes from './time-chart.module.css'

interface TimeChartProps {
  title: string
  /** When each period begins. */
  periods: readonly string[]
  step_hours: number
  series: readonly Series[]
  /** Bars stand on each other; lines have their bounds around them. */
  shape: 'bars' | 'lines'
  format: (value: number | null | undefined) => string
  /** Said instead of the drawing where no series has a value. */
  empty: string
  /** Whether values are counts: ticks between them would name what does not exist. */
  isWhole?: boolean
  /** Top of the axis, where it is known beforehand. */
  most?: number
  /** As high as this at least: ticks closer together would be written alike. */
  least?: number
  height_px?: number
}

const MARGIN = { left: 56, right: 10, top: 8, bottom: 24 }
/** Room for the name of a day or an hour, and of both. */
const NAME_PX = 64
const LONG_NAME_PX = 112

/** Values over periods of time. A pointer or the arrow keys choose a period, whose values are written below. */
export function TimeChart({
  title,
  periods,
  step_hours,
  series,
  shape,
  format,
  empty,
  isWhole = false,
  most,
  least = 0,
  height_px = 180,
}: TimeChartProps) {
  const { t, i18n } = useTranslation('charts')
  const { ref, width } = useElementSize()
  const [chosen, setChosen] = useState<number | null>(null)
  const helpId = useId()
  const isEmpty = lastKnown(series, periods.length, shape === 'bars', -1) === -1
  const place = Math.min(chosen ?? lastKnown(series, periods.length, shape === 'bars'), periods.length - 1)
  const right = Math.max(MARGIN.left + 1, width - MARGIN.right)
  const name_px = step_hours > 1 && step_hours < 24 ? LONG_NAME_PX : NAME_PX
  const slot_px = (right - MARGIN.left) / Math.max(1, periods.length)
  const centre = (at: number) => MARGIN.left + (at + 0.5) * slot_px
  const [low, high] = heightOf(series, shape === 'bars', periods.length)
  const y = linearScale([low, most ?? Math.max(high, least)], [height_px - MARGIN.bottom, MARGIN.top], 4)
  const names = namedPlaces(periods.length, Math.floor((right - MARGIN.left) / name_px))
  const nameOf = (at: number) => timeName(periods[at] ?? '', step_hours, i18n.language)
  const when = spanName(periods[place] ?? '', step_hours, i18n.language)

  const point = (event: PointerEvent<HTMLDivElement>) => {
    const x_px = event.clientX - event.currentTarget.getBoundingClientRect().left - MARGIN.left
    setChosen(Math.max(0, Math.min(periods.length - 1, Math.floor(x_px / slot_px))))
  }
  const press = (event: KeyboardEvent) => {
    const target = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: periods.length - 1 }[event.key]
    if (target === undefined) return
    event.preventDefault()
    setChosen(Math.max(0, Math.min(periods.length - 1, target)))
  }

  return (
    <figure className={classes.root}>
      <Text component="figcaption" size="sm" fw={600}>
        {title}
      </Text>
      {isEmpty ? (
        <Text c="dimmed" size="sm" className={classes.empty} style={{ height: height_px }}>
          {empty}
        </Text>
      ) : (
        <>
          <div
            ref={ref}
            className={classes.plot}
            style={{ height: height_px }}
            role="slider"
            tabIndex={0}
            aria-label={title}
            aria-describedby={helpId}
            aria-valuemin={1}
            aria-valuemax={periods.length}
            aria-valuenow={place + 1}
            aria-valuetext={sentence(when, series, place, format)}
            onPointerMove={point}
            onPointerDown={point}
            onPointerLeave={() => setChosen(null)}
            onKeyDown={press}
            onBlur={() => setChosen(null)}
          >
            {width > 0 && (
              <Frame
                width_px={width}
                height_px={height_px}
                margin={MARGIN}
                x={names.map((at) => ({ at_px: Math.min(centre(at), width - name_px * 0.4), text: nameOf(at) }))}
                y={ticksOf({ ...y, ticks: y.ticks.filter((tick) => !isWhole || Number.isInteger(tick)) }, format)}
                label={title}
              >
                {chosen !== null && (
                  <rect
                    className={classes.chosen}
                    x={centre(place) - slot_px / 2}
                    width={slot_px}
                    y={MARGIN.top}
                    height={height_px - MARGIN.top - MARGIN.bottom}
                  />
                )}
                {shape === 'bars' ? (
                  <Bars series={series} length={periods.length} centre={centre} slot_px={slot_px} y={y} />
                ) : (
                  <Lines series={series} centre={centre} slot_px={slot_px} y={y} />
                )}
              </Frame>
            )}
          </div>
          <VisuallyHidden id={helpId}>{t('time.help')}</VisuallyHidden>
          <div className={classes.legend} aria-hidden>
            <span className={classes.when}>{when}</span>
            {series.map((each) => (
              <span key={each.key} className={classes.entry}>
                <i style={{ background: each.color }} />
                {each.title} <b>{format(each.values[place])}</b>
                <Bounds series={each} place={place} format={format} />
              </span>
            ))}
          </div>
        </>
      )}
    </figure>
  )
}

interface DrawnProps {
  series: readonly Series[]
  centre: (place: number) => number
  slot_px: number
  y: Scale
}

function Bars({ series, length, centre, slot_px, y }: DrawnProps & { length: number }) {
  const width_px = Math.max(1, Math.min(slot_px * 0.78, 28))
  return stacked(series, length).map((bars, at) => {
    const { key, color } = series[at] as Series
    return (
      <g key={key} fill={color}>
        {bars.map(
          (bar, place) =>
            bar.high > bar.low && (
              <rect
                key={place}
                x={centre(place) - width_px / 2}
                width={width_px}
                y={y.toPx(bar.high)}
                height={y.toPx(bar.low) - y.toPx(bar.high)}
              />
            ),
        )}
      </g>
    )
  })
}

function Lines({ series, centre, slot_px, y }: DrawnProps) {
  return series.map((each) => (
    <g key={each.key} stroke={each.color} fill={each.color}>
      {each.bounds?.map(
        (bounds, place) =>
          bounds && (
            <rect
              key={place}
              className={classes.bounds}
              x={centre(place) - slot_px * 0.3}
              width={slot_px * 0.6}
              y={y.toPx(bounds[1])}
              height={Math.max(1, y.toPx(bounds[0]) - y.toPx(bounds[1]))}
            />
          ),
      )}
      {stretches(each.values).map((stretch) => (
        <g key={stretch[0]?.[0]}>
          <polyline className={classes.line} points={stretch.map(([place, value]) => `${centre(place)},${y.toPx(value)}`).join(' ')} />
          {stretch.map(([place, value]) => (
            <circle key={place} cx={centre(place)} cy={y.toPx(value)} r={2} />
          ))}
        </g>
      ))}
    </g>
  ))
}

function Bounds({ series, place, format }: { series: Series; place: number; format: TimeChartProps['format'] }) {
  const { t } = useTranslation('charts')
  const bounds = series.bounds?.[place]
  if (!bounds) return null
  return <span className={classes.range}>{t('interval.range', { low: format(bounds[0]), high: format(bounds[1]) })}</span>
}

function sentence(when: string, series: readonly Series[], place: number, format: TimeChartProps['format']): string {
  return [when, ...series.map((each) => `${each.title} ${format(each.values[place])}`)].join(', ')
}

const DAY: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric' }
const HOUR: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
const HOUR_MS = 3_600_000

/** The hour, the day and hour, or the day that a period begins with, in the reader's own time. */
function timeName(at: string, step_hours: number, language: string): string {
  const style = step_hours >= 24 ? DAY : step_hours > 1 ? { ...DAY, ...HOUR } : HOUR
  return at && new Intl.DateTimeFormat(language, style).format(new Date(at))
}

/** From when to when a period lasts. */
function spanName(at: string, step_hours: number, language: string): string {
  const begins = new Date(at)
  return at && new Intl.DateTimeFormat(language, { ...DAY, ...HOUR }).formatRange(begins, new Date(begins.getTime() + step_hours * HOUR_MS))
}
