import { relative } from 'node:path';
import { defined } from '../../model/defined.js';
import { fileTexts } from '../../realm-files/file-texts.js';
import type { RealmFileState } from '../../realm-files/realm-file-state.js';
import type { RealmFiles } from '../../realm-files/realm-files.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import { badRequest, notFound } from '../admin.js';
import { type AdminOperation, ok } from '../operation.js';
import { PAGING } from '../query.js';
import { requireHostAdmin } from '../require-host-admin.js';
import { maskedText } from './masked-text.js';
import { STATE, shownState } from './realm-file-representation.js';

export interface RealmFileOperationParts {
  readonly files: RealmFiles;
  readonly registry: ProviderRegistry;
}

export const REALM_FILES_TAG = 'Realm files';
const STATES: readonly string[] = STATE.properties.state.enum;
const IS_FOLLOWED = {
  type: 'boolean',
  description: 'False: the process that answers follows no files; what it says is what the store remembers of them.',
} as const;
const TEXTS = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Relative to the realms folder.' },
      size: { type: 'integer', description: 'In bytes.' },
      text: { type: 'string', description: 'As it stands there, secrets masked; absent where the file is too large.' },
    },
  },
} as const;

/** Keyhost's own `/admin/realm-files`: the realms folder, for whoever holds `admin` in `master`. */
export function realmFileOperations({ files, registry }: RealmFileOperationParts): AdminOperation[] {
  const own = { scope: 'server', tag: REALM_FILES_TAG, roles: [] } as const;
  const { dir } = files;
  return [
    {
      ...own,
      method: 'GET',
      path: '/realm-files',
      summary: 'The realm files with their state, mistakes and what differs from them, by path',
      query: {
        ...PAGING,
        search: { type: 'string', description: 'Part of the name of the file, or of the realm.' },
        state: { type: 'string', description: STATES.join(', ') },
      },
      answers: {
        status: 200,
        body: {
          type: 'object',
          properties: { isFollowed: IS_FOLLOWED, files: { type: 'array', items: STATE } },
        },
      },
      async handle(call) {
        requireHostAdmin(call);
        const state = call.query.string('state');
        if (state !== undefined && !STATES.includes(state)) throw badRequest(`state: is ${STATES.join(', ')}`);
        const query = {
          ...call.query.page(),
          search: call.query.string('search'),
          state: state as RealmFileState['state'] | undefined,
        };
        const found = await files.states.page(query, 'masked');
        return ok({ isFollowed: files.states.isFollowing, files: found.map((one) => shownState(one, dir)) });
      },
    },
    {
      ...own,
      method: 'GET',
      path: '/realm-files/{name}',
      summary: 'The file of a realm: its state, and its text as it stands in the realms folder',
      answers: {
        status: 200,
        body: { ...STATE, properties: { ...STATE.properties, isFollowed: IS_FOLLOWED, files: TEXTS } },
      },
      async handle(call) {
        requireHostAdmin(call);
        const realm = call.params.name ?? '';
        const found = await files.states.of(realm, 'masked');
        if (found === undefined) throw noFile(realm);
        const texts = await fileTexts(found.path);
        const shown = texts.map(({ path, size, text }) =>
          defined({ path: relative(dir, path), size, text: text && maskedText(text, registry) }),
        );
        return ok({ isFollowed: files.states.isFollowing, ...shownState(found, dir), files: shown });
      },
    },
  ];
}

function noFile(realm: string) {
  return notFound(`No file in the realms folder makes a realm "${realm}"`);
}
