/** Schemes that run or show what the address itself says. */
const ACTIVE = new Set(['javascript:', 'data:', 'vbscript:', 'blob:', 'file:']);

/** An address that a link, form or frame may have; any other becomes one that leads nowhere. */
export function linkAddress(address: string): string {
  if (address.startsWith('/') || address.startsWith('?')) return address;
  if (!URL.canParse(address)) return '#';
  return ACTIVE.has(new URL(address).protocol) ? '#' : address;
}
