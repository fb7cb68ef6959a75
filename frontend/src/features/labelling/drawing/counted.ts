/** Key in the dictionary `labelling`: how many objects of its kind a tool has drawn. */
export type Counted = 'boxes.count' | 'masks.count' | 'objects.count' | 'text_lines.count'
