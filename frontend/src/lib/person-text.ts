/** A person beyond doubt: two may share a name, never an address. */
export const personText = ({ name, email }: { name: string; email: string }): string => (name ? `${name} (${email})` : email)
