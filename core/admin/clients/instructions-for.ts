import { clientKindOf } from '../../connect/client-kind-of.js';
import { CLIENT_KINDS, type ClientKind } from '../../connect/client-kinds.js';
import { GROUPS_SCOPE } from '../../connect/client-representation.js';
import type { Framework } from '../../connect/framework-pages.js';
import { instructionBlocks } from '../../connect/instruction-blocks.js';
import { nextSteps } from '../../connect/instructions.js';
import { defined } from '../../model/defined.js';
import type { Realm } from '../../model/realm.js';
import type { ProtocolMapperRepresentation } from '../../model/representation.js';
import { exportRealm } from '../../realms/export/export-realm.js';
import { minimalClient } from '../../realms/export/minimal-client.js';
import { signInEventTypes } from '../../registry/events/client-sign-ins.js';
import type { StoredClient } from './find-client.js';

const TEXT = { type: 'string' } as const;

export const INSTRUCTIONS = {
  type: 'object',
  properties: {
    kind: { type: 'string', enum: CLIENT_KINDS.map(({ id }) => id) },
    framework: { type: 'string', description: 'Absent: none.' },
    tried: { type: 'string', description: 'Of the framework: test, the date of a trial, or no.' },
    issuer: TEXT,
    clientId: TEXT,
    secret: { type: 'string', description: 'Only for those who may manage the client.' },
    redirectUris: { type: 'array', items: TEXT },
    url: { type: 'string', description: 'URL of the app.' },
    signInEvents: {
      type: 'array',
      items: TEXT,
      description:
        'Types of the events that complete a sign-in. A LOGIN counts only if its details have grant_type, or if the list has no type that ends in CODE_TO_TOKEN. Absent: nobody signs in.',
    },
    blocks: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          kind: { type: 'string', enum: ['heading', 'text', 'note', 'item', 'code'] },
          text: { type: 'string', description: 'With `code` and <https://links>, except in code.' },
          language: { type: 'string', description: 'Of code.' },
        },
      },
    },
    realmFile: {
      type: 'object',
      description:
        'Entries that a realm file needs, so that the realm stays as its file says. Without secrets and defaults.',
      properties: {
        clientScopes: { type: 'array', items: { $ref: 'ClientScopeRepresentation' } },
        clients: { type: 'array', items: { $ref: 'ClientRepresentation' } },
      },
    },
  },
} as const;

/** Placeholder for a secret that the reader may not see. */
const HIDDEN = 'CLIENT_SECRET';

/** Instructions to write the app of a client, in parts for a program to show. */
export function instructionsFor(of: {
  realm: Realm;
  client: StoredClient;
  framework: Framework | undefined;
  manages: boolean;
  offlineAccess: boolean;
}): object {
  const { realm, client, framework, manages } = of;
  const kind = kindOf(client, framework);
  const live = realm.clients.get(client.clientId);
  const hasSecret = client.publicClient !== true && client.secret !== undefined;
  const secret = hasSecret ? (manages ? client.secret : HIDDEN) : undefined;
  const url = urlOf(client);
  const redirectUris = client.redirectUris ?? [];
  const offlineAccess = kind.redirects && of.offlineAccess;
  const wanted = { kind, clientId: client.clientId, url, redirectUris, offlineAccess };
  const text = nextSteps({ server: realm.baseUrl, realm: realm.name, wanted, secret }, framework);
  return defined({
    kind: kind.id,
    framework: framework?.id,
    tried: framework?.tried,
    issuer: realm.issuer,
    clientId: client.clientId,
    secret: manages ? secret : undefined,
    redirectUris,
    url,
    signInEvents: live && kind.id !== 'api' ? signInEventTypes(live) : undefined,
    blocks: instructionBlocks(text),
    realmFile: fragmentOf(realm, client),
  });
}

function kindOf(client: StoredClient, framework: Framework | undefined): ClientKind {
  return CLIENT_KINDS.find(({ id }) => id === framework?.kind) ?? clientKindOf(client);
}

/** The URL of the app. Only absolute http(s) URLs, since it is opened and written into code. */
function urlOf({ rootUrl, baseUrl }: StoredClient): string | undefined {
  return [rootUrl, baseUrl].find((url) => url !== undefined && URL.canParse(url) && /^https?:/i.test(url));
}

/**
 * The client for a realm file, with the `groups` scope if the client has it. No other scope is created with a new app.
 */
function fragmentOf({ name, representation }: Realm, client: StoredClient): object {
  const clientScopes = representation.clientScopes?.filter(
    (scope) => scope.name === GROUPS_SCOPE.name && client.defaultClientScopes?.includes(scope.name),
  );
  const lean = minimalClient(withoutIds(client), representation, client);
  const part = { realm: name, clients: [lean], clientScopes: clientScopes?.map(withoutIds) };
  const exported = exportRealm(part, undefined, [], { secrets: false }).representation;
  return { clientScopes: exported.clientScopes, clients: exported.clients };
}

/** Removes IDs. The realm's own stay in effect if the file contains none. */
function withoutIds<T extends { id?: string; protocolMappers?: ProtocolMapperRepresentation[] }>(given: T): T {
  const { id: _, ...thing } = given;
  const mappers = given.protocolMappers?.map(({ id: _id, ...mapper }) => mapper);
  return { ...thing, ...(mappers === undefined ? {} : { protocolMappers: mappers }) } as T;
}
