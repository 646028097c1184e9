/** Schemes whose URLs contain code or content themselves. */
const ACTIVE = new Set(['javascript:', 'data:', 'vbscript:', 'blob:', 'file:']);

/** A URL that is safe for links, forms and frames; `#` for any other. */
export function linkAddress(address: string): string {
  if (address.startsWith('/') || address.startsWith('?')) return address;
  if (!URL.canParse(address)) return '#';
  return ACTIVE.has(new URL(address).protocol) ? '#' : address;
}
