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
  /** The realm file; `line` and `column` are the client's position in it. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly secret: string | undefined;
  /**
   * The state of the running server. `waiting`: it has not applied the file yet; `elsewhere`: it does not watch the
   * file; `stopped`: no server runs.
   */
  readonly server: 'applied' | 'waiting' | 'elsewhere' | 'stopped';
}

/** The time that the command waits until the server has applied the file, in milliseconds. */
const APPLY_MS = 15_000;
const POLL_MS = 100;

/** The members of a realm in its file that a new client depends on. */
interface RealmInFile {
  readonly clients?: readonly ClientRepresentation[];
  readonly clientScopes?: readonly ClientScopeRepresentation[];
  readonly defaultDefaultClientScopes?: readonly string[];
  readonly defaultOptionalClientScopes?: readonly string[];
}

/**
 * Adds a client to the file of its realm, which a running server watches. This requires no credentials, since a user
 * who can write the file can change the realm anyway.
 * @param at.dir the realms folder
 * @param at.access the access to the running server; undefined if no server runs
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
  const editedFile = readJsonDocument(read.file, Buffer.from(text));
  const clientPath = [...read.document.basePath, 'clients', (read.document.value as RealmInFile).clients?.length ?? 0];
  const { line, column } = 'document' in editedFile ? editedFile.document.locate(clientPath) : { line: 1, column: 1 };
  const server = access === undefined ? 'stopped' : before === undefined ? 'elsewhere' : state ? 'applied' : 'waiting';
  return { file: read.file, line, column, secret, server };
}

type FileContent = Pick<RealmFileText, 'text' | 'document'>;

function withClient(newClient: NewClient, secret: string | undefined, { text, document }: FileContent): string {
  const realm = document.value as RealmInFile;
  const { clientId, name, ...members } = clientRepresentation(newClient, {
    defaults: realm.defaultDefaultClientScopes ?? DEFAULT_CLIENT_SCOPES,
    optional: realm.defaultOptionalClientScopes ?? OPTIONAL_CLIENT_SCOPES,
  });
  const entry = { clientId, name, ...(secret === undefined ? {} : { secret }), ...members };
  const realmPath = [...document.basePath];
  const withScope =
    newClient.groups && !hasGroupsScope(realm) ? appendEntry(text, [...realmPath, 'clientScopes'], GROUPS_SCOPE) : text;
  return appendEntry(withScope, [...realmPath, 'clients'], entry);
}

/** Removes the client from the current text, which other programs may have changed since. */
function withoutClient(clientId: string, { text, document }: FileContent): string {
  const { clients = [] } = document.value as RealmInFile;
  const index = clients.findIndex((client) => client.clientId === clientId);
  return index < 0 ? text : removeElement(text, [...document.basePath, 'clients'], index);
}

/**
 * Checks that the client ID is free in the file and on a running server. A client of the same ID in the file would
 * replace the secret and redirect URIs of one that the admin console created.
 * @param wanted.groups true to check the name of the client scope `groups`, too, unless the file contains it
 * @throws BootError `options_invalid`
 */
export async function requireFreeNames(
  { clientId, groups }: Pick<NewClient, 'clientId' | 'groups'>,
  { realm, access, document }: { realm: string; access: ManagementAccess | undefined; document: JsonDocument },
): Promise<void> {
  const realmInFile = document.value as RealmInFile;
  const clients = realmInFile.clients?.map((client) => client.clientId) ?? [];
  const isInFile = [...BUILT_IN_CLIENTS, KEYHOST_ADMIN_CONSOLE, ...clients].includes(clientId);
  const scope = GROUPS_SCOPE.name;
  const conflicts = access && !isInFile ? await takenNames(access, { realm, client: clientId, scope }) : undefined;
  if (isInFile || conflicts?.client) throw clientExists(clientId, realm);
  if (!conflicts?.scope || !groups || hasGroupsScope(realmInFile)) return;
  throw new BootError(
    'options_invalid',
    `the realm ${realm} has a client scope ${scope} that its file does not contain`,
    {
      hint: 'add the scope to the file, or use --server',
    },
  );
}

function hasGroupsScope({ clientScopes = [] }: RealmInFile): boolean {
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
 * The state of the realm file on the server after the change; undefined if the server does not watch the file, or on a
 * timeout. Other programs may change the file, too, so this waits until the server has the client.
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
