import type { PageFrame } from '@keyhost/spi';
import type { Client } from '../model/client.js';
import { defined } from '../model/defined.js';

/** A host that a Content-Security-Policy has words for. */
const PLAIN_HOST = /^[a-z0-9._-]+(:\d+)?$/i;

/**
 * What an application shows of itself to people: the attributes `logoUri`, `policyUri` and `tosUri` (OpenID Connect Dynamic
 * Client Registration §2). An address that pages may not have is left out, as is a logo that a policy cannot name alone.
 * @param httpsOnly true in production, and wherever the host itself is reached by https: plain http is left out then
 */
export function clientPresentation(client: Client, httpsOnly: boolean): Partial<NonNullable<PageFrame['client']>> {
  const logo = addressOf(client.addresses.logo, httpsOnly);
  const policy = addressOf(client.addresses.policy, httpsOnly);
  const terms = addressOf(client.addresses.termsOfService, httpsOnly);
  const isShown = logo !== undefined && imageSource(logo) !== undefined;
  return defined({ logoUri: isShown ? logo : undefined, policyUri: policy, tosUri: terms });
}

/** The source expression of exactly one image (Content Security Policy Level 3 §2.3.1); it knows no query. */
export function imageSource(address: string): string | undefined {
  const { origin, host, pathname } = new URL(address);
  // A path that ends in a slash would stand for everything below it.
  if (!PLAIN_HOST.test(host) || pathname.endsWith('/')) return undefined;
  return `${origin}${pathname.replace(/[;,]/g, encodeURIComponent)}`;
}

function addressOf(address: string | undefined, httpsOnly: boolean): string | undefined {
  if (address === undefined) return undefined;
  const { protocol, username, password, href } = new URL(address);
  return (httpsOnly && protocol !== 'https:') || username !== '' || password !== '' ? undefined : href;
}
