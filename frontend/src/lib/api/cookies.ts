/** The value of a cookie, or an empty string. */
export function cookie(name: string): string {
  const found = document.cookie.split('; ').find((pair) => pair.startsWith(`${name}=`))
  return found ? decodeURIComponent(found.slice(name.length + 1)) : ''
}

/**
 * Sends a change with the CSRF token of the moment. A sign-in, here or in another tab, makes a new token: what was on its way with
 * the old one is refused before anything of it is done, and goes out once more.
 */
export async function withToken(request: (token: string) => Promise<Response>): Promise<Response> {
  const token = cookie('csrftoken')
  const response = await request(token)
  const isStale = response.status === 403 && cookie('csrftoken') !== token
  return isStale ? request(cookie('csrftoken')) : response
}
