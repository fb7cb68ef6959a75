import { describe, expect, it } from 'vitest'

import { actionsByChord, type Choices, holdersOf, keysOf, moved, readChoices, rebound } from './bindings'
import { chordsOf, type KeyPress, shownChord } from './chord'
import { SCOPES, type ShortcutScope } from './scope'

const press = (key: string, code: string, modifiers: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...modifiers,
})

const scope = (name: string, keys: Record<string, string[]>, beside?: string[]): ShortcutScope => ({
  scope: name,
  order: 1,
  words: name,
  beside,
  actions: Object.entries(keys).map(([id, own]) => ({ id, keys: own })),
})
const TWO = [scope('a', { go: ['Enter'], stop: ['s'] }), scope('b', { fly: ['f'] }, ['a']), scope('c', { swim: ['Enter'] })]

describe('chords', () => {
  it.each([
    [press('u', 'KeyU'), ['u']],
    [press('U', 'KeyU', { shiftKey: true }), ['shift+u']],
    [press('?', 'Slash', { shiftKey: true }), ['?']],
    [press('!', 'Digit1', { shiftKey: true }), ['!', 'shift+1']],
    [press('&', 'Digit1'), ['&', '1']],
    [press('1', 'Numpad1'), ['1']],
    [press('Process', 'KeyU'), ['u']],
    [press(' ', 'Space'), ['Space']],
    [press('Z', 'KeyZ', { ctrlKey: true, shiftKey: true }), ['mod+shift+z']],
    [press('Shift', 'ShiftLeft', { shiftKey: true }), []],
  ])('%o means %o', (pressed, chords) => expect(chordsOf(pressed, false)).toEqual(chords))

  it('reads Command on a Mac, where Control is another key', () => {
    expect(chordsOf(press('z', 'KeyZ', { metaKey: true }), true)).toEqual(['mod+z'])
    expect(chordsOf(press('z', 'KeyZ', { ctrlKey: true }), true)).toEqual(['ctrl+z'])
  })

  it('prints them as the keys are called', () => {
    expect([shownChord('mod+shift+z', false), shownChord('mod+z', true), shownChord('+', false), shownChord('mod++', false)]).toEqual([
      'Ctrl ⇧ Z',
      '⌘Z',
      '+',
      'Ctrl +',
    ])
  })
})

describe('bindings', () => {
  it('are those of the scope until the person chooses others, and again after', () => {
    const chosen = rebound({}, { scope: 'a', action: 'go' }, ['g', 'x'], TWO)
    expect(keysOf(TWO[0] as ShortcutScope, chosen).get('go')).toEqual(['g', 'x'])
    expect(rebound(chosen, { scope: 'a', action: 'go' }, ['Enter'], TWO)).toEqual({})
  })

  it('know who else hears a key: in the same scope and beside it, not elsewhere', () => {
    expect(holdersOf('Enter', { scope: 'a', action: 'stop' }, {}, TWO)).toEqual([{ scope: 'a', action: 'go' }])
    expect(holdersOf('f', { scope: 'a', action: 'go' }, {}, TWO)).toEqual([{ scope: 'b', action: 'fly' }])
    expect(holdersOf('s', { scope: 'b', action: 'fly' }, {}, TWO)).toEqual([{ scope: 'a', action: 'stop' }])
    expect(holdersOf('Enter', { scope: 'a', action: 'go' }, {}, TWO)).toEqual([])
  })

  it('move a key: it does one thing after', () => {
    const chosen = moved({}, { scope: 'a', action: 'stop' }, 'Enter', TWO)
    expect(actionsByChord(TWO[0] as ShortcutScope, chosen)).toEqual(
      new Map([
        ['s', 'stop'],
        ['Enter', 'stop'],
      ]),
    )
    expect(keysOf(TWO[0] as ShortcutScope, chosen).get('go')).toEqual([])
  })

  it('survive export and import, and refuse what is no map of keys', () => {
    const chosen: Choices = moved({}, { scope: 'a', action: 'stop' }, 'Enter', TWO)
    expect(readChoices(JSON.stringify(chosen), TWO)).toEqual(chosen)
    const renamed = TWO.map((one) => ({ ...one, formerly: one.scope, scope: `new-${one.scope}` }))
    expect(readChoices(JSON.stringify({ a: chosen['a'] }), renamed)).toEqual({ 'new-a': chosen['a'] })
    expect(readChoices('{"a": {"unknown": ["x"]}, "z": 1}', TWO)).toEqual({})
    for (const bad of ['', '[]', '{"a": 3}', '{"a": {"go": "x"}}', '{"a": {"go": [1]}}', '{"a": {"go": [""]}}'])
      expect(readChoices(bad, TWO)).toBeNull()
  })

  it('give no key to two actions of one scope from the start', () => {
    for (const one of SCOPES) {
      const keys = one.actions.flatMap(({ keys: own }) => own)
      expect(new Set(keys).size, one.scope).toBe(keys.length)
    }
  })
})
