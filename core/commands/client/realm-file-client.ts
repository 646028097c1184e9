import { BootError } from '../../config/boot-error.js';
import { type JsonDocument, readJsonDocument } from '../../config/json/json-document.js';
import { clientRepresentation, GROUPS_SCOPE, type NewClient } from '../../connect/client-representation.js';
import type { ManagementAccess } from '../../host/management-access.js';
import {
  BUILT_IN_CLIENTS,
  DEFAULT_CLIENT_SCOPES,
  KEYHOST_ADMIN_CONSOLE,
  OPTIONAL_CLIENT_SCOPES,
} from '../../model/built-in-names.js';
import { randomToken } from '../../model/random-token.js';
import type { ClientRepresentation, ClientScopeRepresentation } from '../../model/representation.js';
import type { RealmFileState } from '../../realm-files/realm-file-state.js';
import { appendEntry, removeElement } from '../plugin/json-edit.js';
import { editRealmFile, type RealmFileText } from '../realm/realm-file-edit.js';
import { askOwner } from '../server/owner-requests.js';
import { fetchFrom } from '../server/requests.js';

/** The result of adding a client. */
export interface FileClient {
  /** `FILE:LINE:COLUMN` of the client, for display. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly secret: string | undefined;
  /** The reaction of the running server to the file; `stopped`: no server runs. */
  readonly server: 'applied' | 'waiting' | 'elsewhere' | 'stopped';
}

/** How long to wait for a server to apply a file before the command ends without its answer, in milliseconds. */
const APPLY_MS = 15_000;
const POLL_MS = 100;

/** The members of a realm file that matter for a new client. */
interface WrittenRealm {
  readonly clients?: readonly ClientRepresentation[];
  readonly clientScopes?: readonly ClientScopeRepresentation[];
  readonly defaultDefaultClientScopes?: readonly string[];
  readonly defaultOptionalClientScopes?: readonly string[];
}

/**
 * Adds a client to the file of its realm. A running server watches its realm files, so this needs no credentials. It
 * gives no new access either, since a user who can write the file could always change the realm that way. Other users
 * of the machine, web pages and programs on the network cannot.
 * @param at.dir the realms folder
 * @param at.access to the running server; undefined if none runs
 * @throws BootError `options_invalid` if the file or the running server has the client; `realm_invalid` with the
 * server's problems, after the client was removed from the file
 */
export async function addToRealmFile(
  newClient: NewClient,
  { realm, dir, access }: { realm: string; dir: string; access: ManagementAccess | undefined },
): Promise<FileClient> {
  const { clientId } = newClient;
  const secret = newClient.isPublic ? undefined : randomToken(32);
  let before: RealmFileState | undefined;
  const { read, text } = await editRealmFile({ realm, dir }, async ({ file, text, document }) => {
    await requireFreeNames(newClient, { realm, access, document });
    before = access && (await stateOf(access, realm));
    if (before?.state === 'invalid') {
      throw new BootError('realm_invalid', `the server already rejects ${file}`, {
        problems: before.problems,
        hint: 'correct the file first',
      });
    }
    return withClient(newClient, secret, { text, document });
  });
  const state = access && (await appliedState(access, { realm, clientId, before }));
  if (state?.state === 'invalid') {
    await editRealmFile({ realm, dir }, (now) => (now.text === text ? read.text : withoutClient(clientId, now)));
    throw new BootError('realm_invalid', `the server rejects the client ${clientId}`, {
      problems: state.problems,
      hint: 'the realm file does not contain it',
    });
  }
  const now = readJsonDocument(read.file, Buffer.from(text));
  const clientPath = [...read.document.basePath, 'clients', (read.document.value as WrittenRealm).clients?.length ?? 0];
  const { line, column } = 'document' in now ? now.document.locate(clientPath) : { line: 1, column: 1 };
  const server = access === undefined ? 'stopped' : before === undefined ? 'elsewhere' : state ? 'applied' : 'waiting';
  return { file: read.file, line, column, secret, server };
}

type Written = Pick<RealmFileText, 'text' | 'document'>;

function withClient(newClient: NewClient, secret: string | undefined, { text, document }: Written): string {
  const realm = document.value as WrittenRealm;
  const { clientId, name, ...members } = clientRepresentation(newClient, {
    defaults: realm.defaultDefaultClientScopes ?? DEFAULT_CLIENT_SCOPES,
    optional: realm.defaultOptionalClientScopes ?? OPTIONAL_CLIENT_SCOPES,
  });
  const entry = { clientId, name, ...(secret === undefined ? {} : { secret }), ...members };
  const realmPath = [...document.basePath];
  const scoped =
    newClient.groups && !hasGroupsScope(realm) ? appendEntry(text, [...realmPath, 'clientScopes'], GROUPS_SCOPE) : text;
  return appendEntry(scoped, [...realmPath, 'clients'], entry);
}

/** Removes the client, and preserves concurrent changes by others. */
function withoutClient(clientId: string, { text, document }: Written): string {
  const { clients = [] } = document.value as WrittenRealm;
  const index = clients.findIndex((client) => client.clientId === clientId);
  return index < 0 ? text : removeElement(text, [...document.basePath, 'clients'], index);
}

/**
 * Checks that the name is free in the file and on a running server. A client that was created in the admin console is
 * in no file, and one in the file would replace its secret and its redirect URIs.
 * @param wanted.groups true if the file will get the client scope `groups`, in case it has none
 * @throws BootError `options_invalid`
 */
export async function requireFreeNames(
  { clientId, groups }: Pick<NewClient, 'clientId' | 'groups'>,
  { realm, access, document }: { realm: string; access: ManagementAccess | undefined; document: JsonDocument },
): Promise<void> {
  const written = document.value as WrittenRealm;
  const clients = written.clients?.map((client) => client.clientId) ?? [];
  const isWritten = [...BUILT_IN_CLIENTS, KEYHOST_ADMIN_CONSOLE, ...clients].includes(clientId);
  const scope = GROUPS_SCOPE.name;
  const conflicts = access && !isWritten ? await takenNames(access, { realm, client: clientId, scope }) : undefined;
  if (isWritten || conflicts?.client) throw clientExists(clientId, realm);
  if (!conflicts?.scope || !groups || hasGroupsScope(written)) return;
  throw new BootError(
    'options_invalid',
    `the realm ${realm} has a client scope ${scope} that its file does not contain`,
    {
      hint: 'add the scope to the file, or use --server',
    },
  );
}

function hasGroupsScope({ clientScopes = [] }: WrittenRealm): boolean {
  return clientScopes.some(({ name }) => name === GROUPS_SCOPE.name);
}

async function takenNames(access: ManagementAccess, names: { realm: string; client: string; scope: string }) {
  return (await askOwner(access, 'GET', '/taken', names)) as Record<'client' | 'scope', boolean>;
}

export function clientExists(clientId: string, realm: string): BootError {
  return new BootError('options_invalid', `the client ${clientId} already exists in the realm ${realm}`, {
    hint: 'choose another --client-id',
  });
}

async function stateOf({ url, secret }: ManagementAccess, realm: string): Promise<RealmFileState | undefined> {
  const response = await fetchFrom(`${url}/realms`, { headers: { authorization: `Bearer ${secret}` } });
  const states = (await response.json()) as RealmFileState[];
  return states.find((state) => state.realm === realm);
}

/**
 * The server's state of the file after the change; undefined if it does not watch the file, or on a timeout. Others may
 * have changed the file, too, so wait until the server knows the client.
 */
async function appliedState(
  access: ManagementAccess,
  { realm, clientId, before }: { realm: string; clientId: string; before: RealmFileState | undefined },
) {
  if (before === undefined) return undefined;
  for (let waited = 0; waited < APPLY_MS; waited += POLL_MS) {
    const state = await stateOf(access, realm);
    const names = { realm, client: clientId, scope: '' };
    if (state !== undefined && state.at !== before.at) {
      if (state.state === 'invalid' || (await takenNames(access, names)).client) return state;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return undefined;
}
