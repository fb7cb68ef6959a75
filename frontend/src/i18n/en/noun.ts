/**
 * What an item is called where no project is open. A kind of items brings its own forms in `items/<kind>/words/en.ts`;
 * sentences nest them: `$t(noun:other)`.
 */
export default {
  one: 'item',
  other: 'items',
  One: 'Item',
  Other: 'Items',
  a: 'an item',
  A: 'An item',
}
