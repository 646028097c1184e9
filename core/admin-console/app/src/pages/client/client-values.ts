import { type Client, type ClientChange, LIFESPAN, PKCE } from '../../api/clients.ts';
import { type ClientKind, kindOf } from '../clients/client-kind.ts';

export const FLOWS = [
  'standardFlowEnabled',
  'directAccessGrantsEnabled',
  'serviceAccountsEnabled',
  'implicitFlowEnabled',
] as const;

/** The values of a client's form. Lists have one entry per line. */
export interface ClientValues extends Record<(typeof FLOWS)[number], boolean> {
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly rootUrl: string;
  readonly baseUrl: string;
  readonly redirectUris: string;
  readonly webOrigins: string;
  readonly kind: ClientKind;
  readonly pkce: string;
  /** In seconds; empty for the realm's lifespan. */
  readonly lifespan: string;
}

export function valuesOf(client: Client): ClientValues {
  const { name = '', description = '', enabled, rootUrl = '', baseUrl = '', attributes } = client;
  const { standardFlowEnabled, directAccessGrantsEnabled, serviceAccountsEnabled, implicitFlowEnabled } = client;
  return {
    name,
    description,
    enabled,
    rootUrl,
    baseUrl,
    standardFlowEnabled,
    directAccessGrantsEnabled,
    serviceAccountsEnabled,
    implicitFlowEnabled,
    redirectUris: client.redirectUris.join('\n'),
    webOrigins: client.webOrigins.join('\n'),
    kind: kindOf(client),
    pkce: attributes[PKCE] ?? '',
    lifespan: attributes[LIFESPAN] ?? '',
  };
}

/** Only the changed members, for a request. */
export function clientChange(changes: Partial<ClientValues>): ClientChange {
  const { redirectUris, webOrigins, kind, pkce, lifespan, ...plain } = changes;
  const attributes = {
    ...(pkce === undefined ? {} : { [PKCE]: pkce || null }),
    ...(lifespan === undefined ? {} : { [LIFESPAN]: lifespan || null }),
  };
  return {
    ...plain,
    ...(redirectUris === undefined ? {} : { redirectUris: linesOf(redirectUris) }),
    ...(webOrigins === undefined ? {} : { webOrigins: linesOf(webOrigins) }),
    ...(kind === undefined ? {} : { publicClient: kind === 'public', bearerOnly: kind === 'bearer' }),
    ...(Object.keys(attributes).length === 0 ? {} : { attributes }),
  };
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
