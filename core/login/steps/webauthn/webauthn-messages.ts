import type { Message } from '@keyhost/spi';
import type { Realm } from '../../../model/realm.js';
import { type WebAuthnType, webAuthnPolicyOf } from '../../../model/webauthn-policy.js';

/** What the page says of the DOMException that a browser's call ended with. `otherwise`: the key for any other. */
export function browserError(realm: Realm, type: WebAuthnType, name: string, otherwise: string): Message {
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
      return { key: otherwise };
  }
}
