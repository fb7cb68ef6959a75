/** What stands behind `#` in a link: kept for the tab, so that it outlives a sign-in on another page. */
const KEPT = 'modelyard.invitation'

export function secretOf(hash: string): string {
  try {
    return decodeURIComponent(hash.replace(/^#/, ''))
  } catch {
    return ''
  }
}

export function keepInvitation(secret: string): void {
  sessionStorage.setItem(KEPT, secret)
}

export function keptInvitation(): string {
  return sessionStorage.getItem(KEPT) ?? ''
}

export function forgetInvitation(): void {
  sessionStorage.removeItem(KEPT)
}
