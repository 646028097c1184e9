import { createPublicKey, type KeyObject } from 'node:crypto';

/** Decodes a key or certificate in base64 to DER, with or without PEM armour (RFC 7468). */
export function decodeDer(text: string): Buffer {
  return Buffer.from(text.replace(/-----[^-]+-----/g, ''), 'base64');
}

/**
 * Reads a public key (SubjectPublicKeyInfo) in base64, with or without PEM armour.
 * @throws Error if the text is not a public key
 */
export function readPublicKey(text: string): KeyObject {
  return createPublicKey({ key: decodeDer(text), format: 'der', type: 'spki' });
}
