import { runsScript } from '../../model/script-address.js';
import { codeOf, messageOf } from '../../model/thrown.js';
import { AdminError } from '../admin.js';
import type { SentClient } from './sent-client.js';

const PROTOCOLS: readonly unknown[] = ['openid-connect', 'saml'];

/** Keycloak's answer to a client that it does not take. */
export function invalidInput(description: string): AdminError {
  return new AdminError(400, { error: 'invalid_input', error_description: description });
}

/**
 * What Keycloak refuses of a client that is sent, and realm files may have.
 * @throws AdminError 400 `invalid_input`
 */
export function requireSoundClient({ protocol, rootUrl, baseUrl }: SentClient): void {
  if (protocol !== undefined && protocol !== null && !PROTOCOLS.includes(protocol)) {
    throw invalidInput(`Invalid protocol: ${protocol}`);
  }
  if (rootUrl && !rootUrl.startsWith('${') && !isAddress(rootUrl)) throw invalidInput('Root URL is not a valid URL');
  if (baseUrl && !/^[/$]/.test(baseUrl) && !isAddress(baseUrl)) throw invalidInput('Base URL is not a valid URL');
}

/** Does what changes clients. A client that the realm does not take is told in Keycloak's words for that. */
export async function soundClient<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    const [code, message] = [codeOf(error), messageOf(error)];
    throw code === 'realm_invalid' ? invalidInput(message) : error;
  }
}

/** Other schemes are judged where all clients are: they are refused for being what they are. */
function isAddress(text: string): boolean {
  return runsScript(text) || (/^(?:https?|ftp|file):\/\/[^\s]+$/i.test(text) && canHaveHost(text));
}

/** `*` stands for a host in addresses of Keycloak's clients. */
function canHaveHost(text: string): boolean {
  return URL.canParse(text.replaceAll('*', 'x'));
}
