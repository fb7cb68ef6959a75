/** What stands behind `#` in a link: kept for the tab, so that it outlives a sign-in on another page. */
const STORAGE_KEY = 'modelyard.invitation'

export function secretOf(hash: string): string {
  try {
    return decodeURIComponent(hash.replace(/^#/, ''))
  } catch {
    return ''
  }
}

export function keepInvitation(secret: string): void {
  sessionStorage.setItem(STORAGE_KEY, secret)
}

export function storedInvitation(): string {
  return sessionStorage.getItem(STORAGE_KEY) ?? ''
}

export function forgetInvitation(): void {
  sessionStorage.removeItem(STORAGE_KEY)
}
