import { renderSVG } from 'uqr';
import { otpPolicyOf } from '../../../model/otp-policy.js';
import type { Realm } from '../../../model/realm.js';
import { Texts } from '../../../pages/messages/texts.js';

/** The URI for authenticator apps: https://github.com/google/google-authenticator/wiki/Key-Uri-Format. */
export function otpAuthUri(realm: Realm, username: string, key: string): string {
  const { format } = otpPolicyOf(realm);
  const issuer = new Texts('en').name(realm.view.displayName || realm.name).replaceAll(':', ' ');
  const query = new URLSearchParams({
    secret: key,
    digits: String(format.digits),
    algorithm: format.algorithm.replace('Hmac', ''),
    issuer,
    ...(format.subType === 'totp' ? { period: String(format.period) } : { counter: String(format.counter) }),
  });
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(username)}`;
  return `otpauth://${format.subType}/${label}?${query.toString().replaceAll('+', '%20')}`;
}

/** A QR code as a `data:` URL of an SVG image. */
export function qrCode(text: string): string {
  const svg = renderSVG(text, { ecc: 'M', border: 4, pixelSize: 4 });
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}
