import { isScriptAddress } from '../../model/script-address.js';
import { codeOf, messageOf } from '../../model/thrown.js';
import { AdminError } from '../admin.js';
import type { ClientInput } from './client-input.js';

const PROTOCOLS: readonly unknown[] = ['openid-connect', 'saml'];

/** Creates Keycloak's error for an invalid client. */
export function invalidInput(description: string): AdminError {
  return new AdminError(400, { error: 'invalid_input', error_description: description });
}

/**
 * Rejects values that Keycloak's API rejects, although realm files may contain them.
 * @throws AdminError 400 `invalid_input`
 */
export function requireValidClient({ protocol, rootUrl, baseUrl }: ClientInput): void {
  if (protocol !== undefined && protocol !== null && !PROTOCOLS.includes(protocol)) {
    throw invalidInput(`Invalid protocol: ${protocol}`);
  }
  if (rootUrl && !rootUrl.startsWith('${') && !isAddress(rootUrl)) throw invalidInput('Root URL is not a valid URL');
  if (baseUrl && !/^[/$]/.test(baseUrl) && !isAddress(baseUrl)) throw invalidInput('Base URL is not a valid URL');
}

/** Runs a change of clients. If the realm is invalid after the change, it throws an error with Keycloak's code. */
export async function withClientErrors<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    const code = codeOf(error);
    const message = messageOf(error);
    throw code === 'realm_invalid' ? invalidInput(message) : error;
  }
}

/**
 * True for a URL that Keycloak accepts. Script URLs pass here too, because the check of the whole realm rejects them.
 */
function isAddress(text: string): boolean {
  return isScriptAddress(text) || (/^(?:https?|ftp|file):\/\/[^\s]+$/i.test(text) && canHaveHost(text));
}

/** True if the URL is valid. Keycloak allows `*` as the host of a client's URLs. */
function canHaveHost(text: string): boolean {
  return URL.canParse(text.replaceAll('*', 'x'));
}
