import type { SchemaProblem } from '../config/json/schema-check.js';
import { isValidAt, validityOf } from '../keys/certificate-validity.js';
import { KEY_PROVIDER, keyOfComponent } from '../keys/component-key.js';
import { KeyRefused } from '../keys/key-refused.js';
import { systemClock } from '../model/clock.js';
import type { ComponentRepresentation, RealmRepresentation } from '../model/representation.js';

/**
 * Finds keys of a realm file that do not sign, because their certificates are expired or not valid yet.
 * @param now milliseconds since the epoch
 */
export function invalidCertificates(
  { components = {} }: RealmRepresentation,
  now: number = systemClock.now(),
): SchemaProblem[] {
  return (components[KEY_PROVIDER] ?? []).flatMap((component, index): SchemaProblem[] => {
    const validity = validityOf(certificateOf(component, now));
    if (validity === undefined || isValidAt(validity, now)) return [];
    const why =
      now < validity.from
        ? `is valid only from ${formatDay(validity.from)}`
        : `has expired on ${formatDay(validity.until)}`;
    const message = `the certificate ${why}: the key verifies, and does not sign`;
    return [{ path: ['components', KEY_PROVIDER, index, 'config', 'certificate'], message }];
  });
}

/** @returns base64 DER; undefined without a certificate, or if the key is unreadable, which another check reports */
function certificateOf(component: ComponentRepresentation, now: number): string | undefined {
  if (component.config?.certificate === undefined) return undefined;
  try {
    const draft = keyOfComponent(component, now);
    return draft && (JSON.parse(draft.material) as { readonly certificate?: string }).certificate;
  } catch (error) {
    if (error instanceof KeyRefused) return undefined;
    throw error;
  }
}

const formatDay = (time: number) => new Date(time).toISOString().slice(0, 10);
