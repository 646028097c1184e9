import { CLIENT_KINDS } from '../../connect/client-kinds.js';
import {
  clientRepresentation,
  FRAMEWORK_ATTRIBUTE,
  GROUPS_SCOPE,
  type NewClient,
} from '../../connect/client-representation.js';
import { type Framework, listFrameworks } from '../../connect/framework-pages.js';
import { clientIdOf, clientOfApp, hasUrl, InvalidAppError } from '../../connect/wanted-client.js';
import { clientScopeNames, hasClientScope } from '../../model/client-scope-names.js';
import type { Users } from '../../users/users.js';
import { AdminError, badRequestError } from '../admin.js';
import { type AdminOperation, ok } from '../operation.js';
import { mayManageClient } from './client-rights.js';
import { requireClient } from './find-client.js';
import { INSTRUCTIONS_SCHEMA, instructionsFor } from './instructions-for.js';

const TAG = 'Apps';
const NO_FRAMEWORK = 'none';
const TEXT = { type: 'string' } as const;
const TEXTS = { type: 'array', items: TEXT, maxItems: 100 } as const;
const FLAG = { type: 'boolean' } as const;
const KIND = { type: 'string', enum: CLIENT_KINDS.map(({ id }) => id) } as const;

const FRAMEWORK = {
  type: 'object',
  properties: {
    id: TEXT,
    name: TEXT,
    library: TEXT,
    kind: KIND,
    url: { type: 'string', description: 'URL of an app in development.' },
    groups: { type: 'boolean', description: 'The app reads the groups of the user.' },
    tried: { type: 'string', description: 'test, the date of a trial, or no.' },
  },
} as const;

const APP = {
  type: 'object',
  properties: {
    kind: KIND,
    framework: { type: 'string', description: 'ID of a framework, which has a kind.' },
    name: { type: 'string', maxLength: 255 },
    clientId: { type: 'string', maxLength: 255, description: 'Default: from the name.' },
    url: { type: 'string', maxLength: 2000 },
    productionUrl: { type: 'string', maxLength: 2000 },
    redirectUris: { ...TEXTS, description: 'Default: from the URLs.' },
    postLogoutRedirectUris: { ...TEXTS, description: 'Default: from the URLs.' },
    groups: { type: 'boolean', description: 'The groups of the user in the tokens.' },
    audiences: { ...TEXTS, description: 'Client IDs of APIs that accept its tokens.' },
    offlineAccess: { type: 'boolean', description: 'The scope offline_access.' },
  },
  required: ['name'],
} as const;

interface AppInput {
  readonly kind?: string;
  readonly framework?: string;
  readonly name: string;
  readonly clientId?: string;
  readonly url?: string;
  readonly productionUrl?: string;
  readonly redirectUris?: readonly string[];
  readonly postLogoutRedirectUris?: readonly string[];
  readonly groups?: boolean;
  readonly audiences?: readonly string[];
  readonly offlineAccess?: boolean;
}

/** Keyhost's own API: the types of apps, and the client that an app needs. It changes nothing. */
export function appOperations({ users }: { readonly users: Users }): AdminOperation[] {
  return [
    {
      method: 'GET',
      path: '/apps/frameworks',
      tag: TAG,
      summary: 'Kinds of apps, and frameworks that have instructions',
      roles: ['view-clients', 'query-clients', 'create-client', 'manage-clients'],
      answers: {
        status: 200,
        body: {
          type: 'object',
          properties: {
            kinds: {
              type: 'array',
              items: {
                type: 'object',
                properties: { id: KIND, title: TEXT, redirects: FLAG, isPublic: FLAG, hasUrl: FLAG, url: TEXT },
              },
            },
            frameworks: { type: 'array', items: FRAMEWORK },
          },
        },
      },
      async handle() {
        return ok({
          kinds: CLIENT_KINDS.map((kind) => ({ ...kind, hasUrl: hasUrl(kind) })),
          frameworks: (await listFrameworks()).map(({ id, name, library, kind, url, groups, tried }) => ({
            id,
            name,
            library,
            kind,
            url,
            groups,
            tried,
          })),
        });
      },
    },
    {
      method: 'POST',
      path: '/apps/client',
      tag: TAG,
      summary: 'The client that an app needs, for POST /clients, and client scopes to create first; nothing is changed',
      roles: ['create-client', 'manage-clients'],
      body: APP,
      answers: {
        status: 200,
        body: {
          type: 'object',
          properties: {
            client: { $ref: 'ClientRepresentation' },
            clientScopes: { type: 'array', items: { $ref: 'ClientScopeRepresentation' } },
          },
        },
      },
      async handle({ realm, body }) {
        const app = parseApp(body as AppInput, await listFrameworks());
        const names = clientScopeNames({}, realm.representation);
        const scopes = { defaults: names.defaultClientScopes, optional: names.optionalClientScopes };
        const needsGroupsScope = app.groups && !hasClientScope(realm, GROUPS_SCOPE.name);
        return ok({
          client: clientRepresentation(app, scopes),
          clientScopes: needsGroupsScope ? [GROUPS_SCOPE] : [],
        });
      },
    },
    {
      method: 'GET',
      path: '/clients/{clientUuid}/instructions',
      tag: TAG,
      summary: 'How to write the app of a client, with its values; the secret only for those who may manage the client',
      roles: ['view-clients'],
      query: {
        framework: {
          type: 'string',
          description: 'ID of a framework, or none. Default: the one that the client states.',
        },
        offlineAccess: { type: 'boolean', description: 'The app requests the scope offline_access, too.' },
      },
      answers: { status: 200, body: INSTRUCTIONS_SCHEMA },
      async handle(call) {
        const { realm, params, query } = call;
        const client = requireClient(realm.representation, params.clientUuid);
        const canManage = await mayManageClient(users, call, client);
        const id = query.string('framework') ?? client.attributes?.[FRAMEWORK_ATTRIBUTE] ?? NO_FRAMEWORK;
        const offlineAccess = query.boolean('offlineAccess') === true;
        const framework = (await listFrameworks()).find((candidate) => candidate.id === id);
        if (framework === undefined && query.string('framework') !== undefined && id !== NO_FRAMEWORK) {
          throw badRequestError(`Invalid value for 'framework': unknown framework ${id}`);
        }
        const body = instructionsFor({ realm, client, framework, canManage, offlineAccess });
        return { status: 200, body, isSecret: true };
      },
    },
  ];
}

/** Validates the input. @throws AdminError 400 with the name of the invalid member */
function parseApp(input: AppInput, knownFrameworks: readonly Framework[]): NewClient {
  const { postLogoutRedirectUris: postLogoutUris, groups = false, audiences = [], offlineAccess = false } = input;
  const framework = knownFrameworks.find(({ id }) => id === input.framework);
  if (input.framework !== undefined && framework === undefined) {
    throw invalidMember('framework', `unknown framework ${input.framework}`);
  }
  const kind = CLIENT_KINDS.find(({ id }) => id === (input.kind ?? framework?.kind));
  if (kind === undefined) throw invalidMember('kind', 'a kind or a framework is required');
  if (framework !== undefined && framework.kind !== kind.id) {
    throw invalidMember('kind', `${framework.id} is of the kind ${framework.kind}`);
  }
  if ((input.clientId ?? clientIdOf(input.name)) === '') {
    throw invalidMember(input.clientId === undefined ? 'name' : 'clientId', 'must contain a letter or a digit');
  }
  const emptyIndex = audiences.findIndex((audience) => audience.trim() === '');
  if (emptyIndex >= 0) throw invalidMember(`audiences/${emptyIndex}`, 'must be a client ID');
  try {
    return clientOfApp({ ...input, kind, framework, postLogoutUris, groups, audiences, offlineAccess });
  } catch (error) {
    if (!(error instanceof InvalidAppError)) throw error;
    const { member, message } = error;
    const isUrl = member === 'url' || member === 'productionUrl';
    throw invalidMember(
      member === 'postLogoutUris' ? 'postLogoutRedirectUris' : member,
      isUrl ? `${message}: use a URL such as http://localhost:3000` : message,
    );
  }
}

function invalidMember(member: string, message: string): AdminError {
  return new AdminError(400, {
    error: 'invalid_request',
    error_description: `${member}: ${message}`,
    errors: [{ pointer: `/${member}`, message }],
  });
}
