import type { Patterns } from '../../../model/patterns.js';
import type { ClientRepresentation } from '../../../model/representation.js';
import { textList } from '../condition.js';
import type { ClientPolicyExecutor } from '../executor.js';
import type { PolicyConfig, PolicyProperty } from '../property.js';
import { policyRefusalError } from '../refuse.js';
import { redirectAddressProblem } from './redirect-address.js';

const DOMAINS = 'allow-permitted-domains';
const OPEN = 'allow-open-redirect';

function allowSwitch(name: string, label: string, helpText: string): PolicyProperty {
  return { name, label, helpText, type: 'boolean', defaultValue: false };
}

/** Requires secure redirect URIs of clients and of requests. */
export const secureRedirectUrisEnforcer: ClientPolicyExecutor = {
  id: 'secure-redirect-uris-enforcer',
  helpText: 'Requires secure redirect URIs: https, without "*". Other URIs must be allowed below.',
  properties: [
    allowSwitch(
      'allow-ipv4-loopback-address',
      'Allow IPv4 loopback address',
      'Allows http://127.0.0.1:{port}/{path} and localhost.',
    ),
    allowSwitch('allow-ipv6-loopback-address', 'Allow IPv6 loopback address', 'Allows http://[::1]:{port}/{path}.'),
    allowSwitch(
      'allow-private-use-uri-scheme',
      'Allow private use URI scheme',
      'Allows the schemes of native apps, such as com.example.app:/cb.',
    ),
    allowSwitch('allow-http-scheme', 'Allow http scheme', 'Allows URIs without TLS.'),
    allowSwitch('allow-wildcard-context-path', 'Allow wildcard in context-path', 'Allows a path that ends in /*.'),
    {
      name: DOMAINS,
      label: 'Allow permitted domains',
      type: 'MultivaluedString',
      helpText:
        'Regular expressions (RE2). The host must match one of them entirely. If the list is empty, any host is allowed.',
    },
    allowSwitch('oauth-2-0-compliant', 'OAuth 2.0 Compliant', 'RFC 6749: no fragments and no "*".'),
    allowSwitch(
      'oauth-2-1-compliant',
      'OAuth 2.1 Compliant',
      'OAuth 2.1: in addition, https except for loopback addresses, and no localhost.',
    ),
    allowSwitch(
      OPEN,
      'Allow open redirect',
      'Clients can register any redirect URI. The redirect URI of each request is still checked.',
    ),
  ],
  patternsIn: (config) => textList(config, DOMAINS),
  requests: ['PRE_AUTHORIZATION_REQUEST'],
  request(config, { redirectUri }, patterns) {
    const problem = redirectUri === undefined ? undefined : redirectAddressProblem(config, redirectUri, true, patterns);
    if (problem !== undefined) throw policyRefusalError('invalid_request', problem);
  },
  change(config, { client }, patterns) {
    if (client.standardFlowEnabled === false && client.implicitFlowEnabled !== true) return;
    if ((client.redirectUris ?? []).length === 0) {
      throw policyRefusalError('invalid_request', 'Invalid Redirect Uri: invalid uri');
    }
    if (config[OPEN] === true) return;
    for (const address of [...(client.redirectUris ?? []), ...logoutAddresses(client)])
      requireSecure(config, client, address, patterns);
  },
};

function logoutAddresses({ attributes }: ClientRepresentation): string[] {
  // `+` means the redirect URIs, `-` means none.
  return (attributes?.['post.logout.redirect.uris'] ?? '').split('##').filter((one) => !['', '+', '-'].includes(one));
}

function requireSecure(
  config: PolicyConfig,
  { rootUrl = '' }: ClientRepresentation,
  address: string,
  patterns: Patterns,
): void {
  const absoluteUri = address.startsWith('/') ? rootUrl.replace(/\/$/, '') + address : address;
  const problem = redirectAddressProblem(config, absoluteUri, false, patterns);
  if (problem !== undefined) throw policyRefusalError('invalid_request', problem);
}
