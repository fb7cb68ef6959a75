import { describe, expect, it } from 'vitest'

import { LANGUAGES, withKey } from './snippet'

const SNIPPETS = {
  curl: 'curl -X POST "https://host/v1/deployments/cats/predict" \\\n  -H "Authorization: Bearer $MODELYARD_KEY"',
  python: `headers={"Authorization": f"Bearer {os.environ['MODELYARD_KEY']}"}`,
  javascript: 'headers: { Authorization: `Bearer ${process.env.MODELYARD_KEY}` }',
}

describe('withKey', () => {
  it.each(LANGUAGES)('puts the key into %s and leaves no trace of the variable', (language) => {
    const filled = withKey(language, SNIPPETS[language], 'my_$&secret')
    expect(filled).toContain('Bearer my_$&secret')
    expect(filled).not.toContain('MODELYARD_KEY')
  })

  it('leaves the rest as it is', () => {
    expect(withKey('curl', SNIPPETS.curl, 'k')).toContain('"https://host/v1/deployments/cats/predict"')
  })
})
