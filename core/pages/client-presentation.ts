import type { PageFrame } from '@keyhost/spi';
import type { Client } from '../model/client.js';
import { defined } from '../model/defined.js';

/** A host that a Content-Security-Policy can express. */
const PLAIN_HOST = /^[a-z0-9._-]+(:\d+)?$/i;

/**
 * Returns the logo and links of an application: the attributes `logoUri`, `policyUri` and `tosUri` (OpenID Connect
 * Dynamic Client Registration §2). It leaves out unsafe URLs, and a logo that the Content-Security-Policy cannot
 * express exactly.
 * @param httpsOnly true: plain http URLs are left out too
 */
export function clientPresentation(client: Client, httpsOnly: boolean): Partial<NonNullable<PageFrame['client']>> {
  const logo = safeUrl(client.addresses.logo, httpsOnly);
  const policy = safeUrl(client.addresses.policy, httpsOnly);
  const terms = safeUrl(client.addresses.termsOfService, httpsOnly);
  const canShowLogo = logo !== undefined && imageSource(logo) !== undefined;
  return defined({ logoUri: canShowLogo ? logo : undefined, policyUri: policy, tosUri: terms });
}

/**
 * Returns the source expression that allows exactly one image (Content Security Policy Level 3 §2.3.1); undefined if
 * there is none for the URL. Source expressions cannot have a query.
 */
export function imageSource(address: string): string | undefined {
  const { origin, host, pathname } = new URL(address);
  // A path with a trailing slash would match everything below it.
  if (!PLAIN_HOST.test(host) || pathname.endsWith('/')) return undefined;
  return `${origin}${pathname.replace(/[;,]/g, encodeURIComponent)}`;
}

function safeUrl(address: string | undefined, httpsOnly: boolean): string | undefined {
  if (address === undefined) return undefined;
  const { protocol, username, password, href } = new URL(address);
  return (httpsOnly && protocol !== 'https:') || username !== '' || password !== '' ? undefined : href;
}
