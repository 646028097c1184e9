import { clientKindOf } from '../../connect/client-kind-of.js';
import { CLIENT_KINDS, type ClientKind } from '../../connect/client-kinds.js';
import { GROUPS_SCOPE } from '../../connect/client-representation.js';
import type { Framework } from '../../connect/framework-pages.js';
import { instructionBlocks } from '../../connect/instruction-blocks.js';
import { formatInstructions } from '../../connect/instructions.js';
import { defined } from '../../model/defined.js';
import type { Realm } from '../../model/realm.js';
import type { ProtocolMapperRepresentation } from '../../model/representation.js';
import { exportRealm } from '../../realms/export/export-realm.js';
import { minimalClient } from '../../realms/export/minimal-client.js';
import { signInEventTypes } from '../../registry/events/client-sign-ins.js';
import type { StoredClient } from './find-client.js';

const TEXT = { type: 'string' } as const;

export const INSTRUCTIONS_SCHEMA = {
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

/** Placeholder for a secret that the caller may not see. */
const SECRET_PLACEHOLDER = 'CLIENT_SECRET';

/** Instructions for writing the app of a client, in blocks that a program can display. */
export function instructionsFor(options: {
  realm: Realm;
  client: StoredClient;
  framework: Framework | undefined;
  canManage: boolean;
  offlineAccess: boolean;
}): object {
  const { realm, client, framework, canManage } = options;
  const kind = kindOf(client, framework);
  const compiledClient = realm.clients.get(client.clientId);
  const hasSecret = client.publicClient !== true && client.secret !== undefined;
  const secret = hasSecret ? (canManage ? client.secret : SECRET_PLACEHOLDER) : undefined;
  const url = urlOf(client);
  const redirectUris = client.redirectUris ?? [];
  const offlineAccess = kind.redirects && options.offlineAccess;
  const app = { kind, clientId: client.clientId, url, redirectUris, offlineAccess };
  const text = formatInstructions({ server: realm.baseUrl, realm: realm.name, client: app, secret }, framework);
  return defined({
    kind: kind.id,
    framework: framework?.id,
    tried: framework?.tried,
    issuer: realm.issuer,
    clientId: client.clientId,
    secret: canManage ? secret : undefined,
    redirectUris,
    url,
    signInEvents: compiledClient && kind.id !== 'api' ? signInEventTypes(compiledClient) : undefined,
    blocks: instructionBlocks(text),
    realmFile: realmFileFragment(realm, client),
  });
}

function kindOf(client: StoredClient, framework: Framework | undefined): ClientKind {
  return CLIENT_KINDS.find(({ id }) => id === framework?.kind) ?? clientKindOf(client);
}

/** The URL of the app. It must be an absolute http(s) URL, since pages link to it and code contains it. */
function urlOf({ rootUrl, baseUrl }: StoredClient): string | undefined {
  return [rootUrl, baseUrl].find((url) => url !== undefined && URL.canParse(url) && /^https?:/i.test(url));
}

/**
 * The entries of a realm file for the client, with the `groups` scope if the client has it. A new app creates no other
 * scope.
 */
function realmFileFragment({ name, representation }: Realm, client: StoredClient): object {
  const clientScopes = representation.clientScopes?.filter(
    (scope) => scope.name === GROUPS_SCOPE.name && client.defaultClientScopes?.includes(scope.name),
  );
  const minimal = minimalClient(withoutIds(client), representation, client);
  const fragment = { realm: name, clients: [minimal], clientScopes: clientScopes?.map(withoutIds) };
  const exportedRealm = exportRealm(fragment, undefined, [], { secrets: false }).representation;
  return { clientScopes: exportedRealm.clientScopes, clients: exportedRealm.clients };
}

/** Removes the IDs. Importing a file without IDs leaves those of the realm unchanged. */
function withoutIds<T extends { id?: string; protocolMappers?: ProtocolMapperRepresentation[] }>(representation: T): T {
  const { id: _, ...members } = representation;
  const mappers = representation.protocolMappers?.map(({ id: _id, ...mapper }) => mapper);
  return { ...members, ...(mappers === undefined ? {} : { protocolMappers: mappers }) } as T;
}
