import { isConfidential } from '../../model/client-secrets.js';
import { defined } from '../../model/defined.js';
import { MASK } from '../../model/mask.js';
import type { Realm } from '../../model/realm.js';
import { rolesOf } from '../roles/role-with-client.js';
import type { StoredClient } from './find-client.js';

interface AdapterConfiguration {
  readonly realm: string;
  readonly 'auth-server-url': string;
  readonly 'ssl-required': string;
  readonly resource: string;
  readonly 'public-client'?: true;
  readonly 'bearer-only'?: true;
  readonly 'verify-token-audience'?: true;
  readonly 'use-resource-role-mappings'?: true;
  readonly credentials?: { readonly secret: string };
  readonly 'confidential-port': 0;
}

/** Keycloak's `keycloak.json`. @param manages false: mask the secret */
export function adapterConfiguration(realm: Realm, client: StoredClient, manages: boolean): AdapterConfiguration {
  const { clientId, publicClient, bearerOnly, secret } = client;
  const hasRoles = rolesOf(realm.representation, clientId).length > 0;
  return {
    realm: realm.name,
    'auth-server-url': `${realm.baseUrl}/`,
    'ssl-required': realm.sslRequired,
    resource: clientId,
    ...(publicClient === true && bearerOnly !== true ? { 'public-client': true } : {}),
    ...(bearerOnly === true ? { 'bearer-only': true } : {}),
    ...(hasRoles ? { 'verify-token-audience': true, 'use-resource-role-mappings': true } : {}),
    ...(isConfidential(client) && secret !== undefined ? { credentials: { secret: manages ? secret : MASK } } : {}),
    'confidential-port': 0,
  };
}

/** The same for WildFly's subsystem `keycloak`, as Keycloak writes it, with XML escapes. */
export function secureDeployment(adapter: AdapterConfiguration): string {
  const element = (name: string, value: unknown) => `    <${name}>${escaped(String(value))}</${name}>\n`;
  const members = defined({
    realm: adapter.realm,
    'auth-server-url': adapter['auth-server-url'],
    'public-client': adapter['public-client'],
    'bearer-only': adapter['bearer-only'],
    'ssl-required': adapter['ssl-required'].toUpperCase(),
    resource: adapter.resource,
    'verify-token-audience': adapter['verify-token-audience'],
    'use-resource-role-mappings': adapter['use-resource-role-mappings'],
  });
  const secret = adapter.credentials?.secret;
  const credential = secret === undefined ? '' : `    <credential name="secret">${escaped(secret)}</credential>\n`;
  const elements = Object.entries(members).map(([name, value]) => element(name, value));
  return `<secure-deployment name="WAR MODULE NAME.war">\n${elements.join('')}${credential}</secure-deployment>\n`;
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
