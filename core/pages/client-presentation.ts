import type { PageFrame } from '@keyhost/spi';
import type { Client } from '../model/client.js';
import { defined } from '../model/defined.js';

/** A host that a Content-Security-Policy can express. */
const PLAIN_HOST = /^[a-z0-9._-]+(:\d+)?$/i;

/**
 * The logo and links of an application: the attributes `logoUri`, `policyUri` and `tosUri` (OpenID Connect Dynamic
 * Client Registration §2). Leaves out URLs that pages may not have, and a logo that a policy cannot express exactly.
 * @param httpsOnly true in production, and whenever the host is reached by https: then plain http is left out
 */
export function clientPresentation(client: Client, httpsOnly: boolean): Partial<NonNullable<PageFrame['client']>> {
  const logo = addressOf(client.addresses.logo, httpsOnly);
  const policy = addressOf(client.addresses.policy, httpsOnly);
  const terms = addressOf(client.addresses.termsOfService, httpsOnly);
  const isShown = logo !== undefined && imageSource(logo) !== undefined;
  return defined({ logoUri: isShown ? logo : undefined, policyUri: policy, tosUri: terms });
}

/** The source expression of exactly one image (Content Security Policy Level 3 §2.3.1), which cannot have a query. */
export function imageSource(address: string): string | undefined {
  const { origin, host, pathname } = new URL(address);
  // A path with a trailing slash would match everything below it.
  if (!PLAIN_HOST.test(host) || pathname.endsWith('/')) return undefined;
  return `${origin}${pathname.replace(/[;,]/g, encodeURIComponent)}`;
}

function addressOf(address: string | undefined, httpsOnly: boolean): string | undefined {
  if (address === undefined) return undefined;
  const { protocol, username, password, href } = new URL(address);
  return (httpsOnly && protocol !== 'https:') || username !== '' || password !== '' ? undefined : href;
}
