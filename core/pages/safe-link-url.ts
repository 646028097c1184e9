/** Schemes whose URLs contain code or content, or refer to local files. */
const UNSAFE_SCHEMES = new Set(['javascript:', 'data:', 'vbscript:', 'blob:', 'file:']);

/** Returns the URL if it is safe for links, forms and frames, or else `#`. */
export function safeLinkUrl(address: string): string {
  if (address.startsWith('/') || address.startsWith('?')) return address;
  if (!URL.canParse(address)) return '#';
  return UNSAFE_SCHEMES.has(new URL(address).protocol) ? '#' : address;
}
