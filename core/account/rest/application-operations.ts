import { notFound } from '../../http/not-found.js';
import type { Client } from '../../model/client.js';
import type { Realm } from '../../model/realm.js';
import type { ConsentRepresentation } from '../../model/representation.js';
import type { AccountContext, AccountParts } from '../account.js';
import { scopeText } from '../applications/applications-page.js';
import { listApplications, type OwnApplication, revokeAccess } from '../applications/own-applications.js';
import type { RestOperation } from './rest-endpoint.js';

const CONSENT_PATH = '/applications/{clientId}/consent';

export function applicationOperations(parts: AccountParts): RestOperation[] {
  return [
    {
      method: 'GET',
      path: '/applications',
      roles: ['manage-account', 'view-applications'],
      async handle(account, { query }) {
        const searchText = (query.get('name') ?? '').toLowerCase();
        const applications = await listApplications(parts, account);
        const matches = applications.filter(({ client }) =>
          (client.name ?? client.clientId).toLowerCase().includes(searchText),
        );
        return { body: matches.map((application) => applicationRepresentation(account.exchange.realm, application)) };
      },
    },
    {
      method: 'GET',
      path: CONSENT_PATH,
      roles: ['manage-account', 'manage-consent', 'view-consent'],
      handle(account, { params }) {
        const client = clientOf(account, params.clientId);
        const consent = account.user.consents.find(({ clientId }) => clientId === client.clientId);
        return consent && { body: consentRepresentation(account.exchange.realm, consent) };
      },
    },
    {
      method: 'DELETE',
      path: CONSENT_PATH,
      roles: ['manage-account', 'manage-consent'],
      async handle(account, { params }) {
        await revokeAccess(parts, account, clientOf(account, params.clientId));
        return undefined;
      },
    },
  ];
}

function clientOf({ exchange: { realm } }: AccountContext, clientId = ''): Client {
  const client = realm.clients.get(clientId);
  if (client === undefined) throw notFound();
  return client;
}

/** Keycloak's ClientRepresentation of the Account REST API. */
function applicationRepresentation(realm: Realm, { client, inUse, offlineAccess, consent }: OwnApplication): object {
  const { baseUrl, rootUrl } = client;
  return {
    clientId: client.clientId,
    clientName: client.name ?? '',
    userConsentRequired: client.consentRequired,
    inUse,
    offlineAccess,
    rootUrl: rootUrl || undefined,
    baseUrl,
    effectiveUrl: baseUrl,
    ...client.addresses.unresolved,
    consent: consent && consentRepresentation(realm, consent),
  };
}

/** Keycloak's ConsentRepresentation. Times are in milliseconds since the epoch. */
function consentRepresentation(
  realm: Realm,
  { grantedClientScopes = [], createdDate, lastUpdatedDate }: ConsentRepresentation,
) {
  return {
    grantedScopes: grantedClientScopes.map((name) => ({
      id: realm.scopes.get(name)?.id ?? name,
      name,
      displayText: scopeText(realm, name),
    })),
    createdDate,
    lastUpdatedDate,
  };
}
