/** A place below a folder of the server; whoever writes the whole path means the same. Empty is the folder itself. */
export function placeBelow(root: string, path: string): string {
  const [folder, below] = [root.replace(/\/+$/, ''), path.trim()]
  if (folder && (below === folder || below.startsWith(`${folder}/`))) return below
  const rest = below.replace(/^\/+/, '')
  return rest ? `${folder}/${rest}` : folder || root
}
