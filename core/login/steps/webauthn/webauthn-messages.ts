import type { Message } from '@keyhost/spi';
import type { Realm } from '../../../model/realm.js';
import { type WebAuthnType, webAuthnPolicyOf } from '../../../model/webauthn-policy.js';

/**
 * The page's message for a DOMException of the browser's WebAuthn call.
 * @param fallbackKey the message key for other exceptions
 */
export function browserError(realm: Realm, type: WebAuthnType, name: string, fallbackKey: string): Message {
  switch (name) {
    case 'NotAllowedError':
    case 'AbortError':
    case 'TimeoutError':
      return { key: 'webauthn-error-cancelled' };
    case 'InvalidStateError':
      return { key: 'webauthn-error-registered' };
    case 'SecurityError':
      return { key: 'webauthn-error-address', params: [webAuthnPolicyOf(realm, type).rpId] };
    default:
      return { key: fallbackKey };
  }
}
