import { createPublicKey, type KeyObject } from 'node:crypto';

/** The DER of a key or certificate that is written in base64, with or without PEM armour (RFC 7468). */
export function derOf(text: string): Buffer {
  return Buffer.from(text.replace(/-----[^-]+-----/g, ''), 'base64');
}

/** The public key of a SubjectPublicKeyInfo that is written so. @throws Error when it is none */
export function readPublicKey(text: string): KeyObject {
  return createPublicKey({ key: derOf(text), format: 'der', type: 'spki' });
}
