/**
 * What the server put off without having done any of it is sent again once the time is over that it asked for: a limit of rate,
 * or a database that somebody else holds. Reads are repeated by whoever asks for them (`app/queries.ts`).
 */
const WAIT_MAX_S = 20
const TIMES_MAX = 3

export async function repeated(send: () => Promise<Response>, signal?: AbortSignal | null): Promise<Response> {
  for (let times = 0; ; times += 1) {
    const response = await send()
    const waitS = times < TIMES_MAX ? await putOffS(response) : null
    if (waitS === null) return response
    await pause(waitS, signal)
  }
}

/** Seconds after which a refused change may be sent again; null when it is not to be, or when a person had to wait for long. */
async function putOffS(response: Response): Promise<number | null> {
  if (response.status !== 429 && response.status !== 503) return null
  const waitS = Number(response.headers.get('Retry-After') ?? NaN)
  if (!(waitS <= WAIT_MAX_S)) return null
  if (response.status === 429) return waitS
  const problem: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  // A connection that broke may have broken after the change was made: only a busy database has surely done nothing.
  return typeof problem === 'object' && problem !== null && 'code' in problem && problem.code === 'database_busy' ? waitS : null
}

function pause(seconds: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const gone = () => {
      clearTimeout(timer)
      reject(new DOMException('The request was broken off.', 'AbortError'))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', gone)
      resolve()
    }, seconds * 1000)
    if (signal?.aborted) gone()
    else signal?.addEventListener('abort', gone, { once: true })
  })
}
