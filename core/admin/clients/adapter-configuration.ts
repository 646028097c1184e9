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

/** Creates Keycloak's `keycloak.json`. @param canManage if false, the secret is masked */
export function adapterConfiguration(realm: Realm, client: StoredClient, canManage: boolean): AdapterConfiguration {
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
    ...(isConfidential(client) && secret !== undefined ? { credentials: { secret: canManage ? secret : MASK } } : {}),
    'confidential-port': 0,
  };
}

/** Formats the configuration for WildFly's subsystem `keycloak` as XML, like Keycloak. */
export function formatSecureDeployment(adapter: AdapterConfiguration): string {
  const element = (name: string, value: unknown) => `    <${name}>${escapeXml(String(value))}</${name}>\n`;
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
  const credential = secret === undefined ? '' : `    <credential name="secret">${escapeXml(secret)}</credential>\n`;
  const elements = Object.entries(members).map(([name, value]) => element(name, value));
  return `<secure-deployment name="WAR MODULE NAME.war">\n${elements.join('')}${credential}</secure-deployment>\n`;
}

function escapeXml(text: string): string {
  return text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
