import type { Patterns } from '../../../model/patterns.js';
import type { ClientRepresentation } from '../../../model/representation.js';
import { texts } from '../condition.js';
import type { ClientPolicyExecutor } from '../executor.js';
import type { PolicyConfig, PolicyProperty } from '../property.js';
import { refusedByPolicy } from '../refuse.js';
import { redirectAddressProblem } from './redirect-address.js';

const DOMAINS = 'allow-permitted-domains';
const OPEN = 'allow-open-redirect';

function allow(name: string, label: string, helpText: string): PolicyProperty {
  return { name, label, helpText, type: 'boolean', defaultValue: false };
}

/** Where users may be sent back to. */
export const secureRedirectUrisEnforcer: ClientPolicyExecutor = {
  id: 'secure-redirect-uris-enforcer',
  helpText: 'Clients send users back to secure addresses alone: https, without "*", and what is allowed besides.',
  properties: [
    allow(
      'allow-ipv4-loopback-address',
      'Allow IPv4 loopback address',
      'http://127.0.0.1:{port}/{path} and localhost.',
    ),
    allow('allow-ipv6-loopback-address', 'Allow IPv6 loopback address', 'http://[::1]:{port}/{path}.'),
    allow(
      'allow-private-use-uri-scheme',
      'Allow private use URI scheme',
      'Schemes of apps, such as com.example.app:/cb.',
    ),
    allow('allow-http-scheme', 'Allow http scheme', 'Addresses without TLS.'),
    allow('allow-wildcard-context-path', 'Allow wildcard in context-path', 'A path that ends in /*.'),
    {
      name: DOMAINS,
      label: 'Allow permitted domains',
      type: 'MultivaluedString',
      helpText: 'Regular expressions (RE2) of which one fits the whole host. None: any host.',
    },
    allow('oauth-2-0-compliant', 'OAuth 2.0 Compliant', 'RFC 6749: neither fragments nor "*".'),
    allow(
      'oauth-2-1-compliant',
      'OAuth 2.1 Compliant',
      'OAuth 2.1: also https but for loopback addresses, and no localhost.',
    ),
    allow(
      OPEN,
      'Allow open redirect',
      'Clients may register any address. What a request asks for is judged nonetheless.',
    ),
  ],
  patternsIn: (config) => texts(config, DOMAINS),
  requests: ['PRE_AUTHORIZATION_REQUEST'],
  request(config, { redirectUri }, patterns) {
    const problem = redirectUri === undefined ? undefined : redirectAddressProblem(config, redirectUri, true, patterns);
    if (problem !== undefined) throw refusedByPolicy('invalid_request', problem);
  },
  change(config, { client }, patterns) {
    if (client.standardFlowEnabled === false && client.implicitFlowEnabled !== true) return;
    if ((client.redirectUris ?? []).length === 0) {
      throw refusedByPolicy('invalid_request', 'Invalid Redirect Uri: invalid uri');
    }
    if (config[OPEN] === true) return;
    for (const address of [...(client.redirectUris ?? []), ...logoutAddresses(client)])
      requireSecure(config, client, address, patterns);
  },
};

function logoutAddresses({ attributes }: ClientRepresentation): string[] {
  // `+` stands for the redirect addresses, `-` for none.
  return (attributes?.['post.logout.redirect.uris'] ?? '').split('##').filter((one) => !['', '+', '-'].includes(one));
}

function requireSecure(
  config: PolicyConfig,
  { rootUrl = '' }: ClientRepresentation,
  address: string,
  patterns: Patterns,
): void {
  const whole = address.startsWith('/') ? rootUrl.replace(/\/$/, '') + address : address;
  const problem = redirectAddressProblem(config, whole, false, patterns);
  if (problem !== undefined) throw refusedByPolicy('invalid_request', problem);
}
