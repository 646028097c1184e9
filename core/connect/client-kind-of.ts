import type { ClientRepresentation } from '../model/representation.js';
import { CLIENT_KINDS, type ClientKind } from './client-kinds.js';

/** Guesses the kind of an existing client. */
export function clientKindOf(client: ClientRepresentation): ClientKind {
  return CLIENT_KINDS.find(({ id }) => id === kindId(client)) as ClientKind;
}

function kindId(client: ClientRepresentation): ClientKind['id'] {
  const { bearerOnly, standardFlowEnabled = true, serviceAccountsEnabled, publicClient, webOrigins = [] } = client;
  if (bearerOnly) return 'api';
  if (!standardFlowEnabled && serviceAccountsEnabled) return 'machine';
  if (!publicClient) return 'web-app';
  return webOrigins.length > 0 ? 'single-page-app' : 'native';
}
