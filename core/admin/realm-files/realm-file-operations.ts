import { relative } from 'node:path';
import { defined } from '../../model/defined.js';
import { readFileTexts } from '../../realm-files/read-file-texts.js';
import type { RealmFileState } from '../../realm-files/realm-file-state.js';
import { AdminError, badRequest, notFoundError } from '../admin.js';
import { type AdminOperation, ok } from '../operation.js';
import { PAGING } from '../query.js';
import { applySource } from './apply-file.js';
import { checkDocument, DOCUMENT_REPORT_SCHEMA } from './check-document.js';
import { exportAsText } from './exported-text.js';
import { type FilePlanParts, planSource } from './file-plans.js';
import { maskText } from './masked-text.js';
import { PLAN_SCHEMA } from './plan-response.js';
import { PROBLEMS_SCHEMA, STATE_SCHEMA, stateResponse } from './realm-file-representation.js';

export type RealmFileOperationParts = FilePlanParts;

const STATES: readonly string[] = STATE_SCHEMA.properties.state.enum;
/** Maximum size of a document in bytes. */
const DOCUMENT_LIMIT = 16 * 1024 * 1024;
/**
 * Maximum size of a document to check, in bytes, for admins of the host and for others. Other requests wait until it is
 * checked, about 100 ms for the smaller one.
 */
const CHECKED_DOCUMENT_LIMIT = 2 * 1024 * 1024;
const CHECKED_DOCUMENT_LIMIT_OF_OTHERS = 256 * 1024;
const IS_BESIDE = {
  type: 'boolean',
  description: 'True: the document differs from the file; the next change of the file overwrites it.',
} as const;
const REFERENCES = {
  ...PROBLEMS_SCHEMA,
  description: 'References that cannot be resolved, with the reason; Keyhost does not apply a document with one.',
} as const;
const IS_FOLLOWED = {
  type: 'boolean',
  description: 'False: this process does not follow files; the answer is the stored state.',
} as const;
const WARNINGS = {
  ...PROBLEMS_SCHEMA,
  description: 'Settings and objects without effect, completed or removed values, and probable mistakes.',
} as const;
const TEXTS = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Relative to the realms folder.' },
      size: { type: 'integer', description: 'In bytes.' },
      text: { type: 'string', description: 'Text of the file with masked secrets; absent if the file is too large.' },
    },
  },
} as const;

/**
 * Keyhost's own API: `/admin/realm-files`, the files in the realms folder, for holders of `admin` in `master`. Callers
 * who may create realms can check a document.
 */
export function realmFileOperations(parts: RealmFileOperationParts): AdminOperation[] {
  const { files, registry } = parts;
  const sharedMembers = { scope: 'server', tag: 'Realm files', roles: [], forHostAdmins: true } as const;
  const { dir } = files;
  return [
    {
      ...sharedMembers,
      method: 'GET',
      path: '/realm-files',
      summary: 'The realm files with their state, mistakes and differences, by path',
      query: {
        ...PAGING,
        search: { type: 'string', description: 'Part of the file name or the realm name.' },
        state: { type: 'string', description: STATES.join(', ') },
      },
      answers: {
        status: 200,
        body: {
          type: 'object',
          properties: { isFollowed: IS_FOLLOWED, files: { type: 'array', items: STATE_SCHEMA } },
        },
      },
      async handle(call) {
        const state = call.query.string('state');
        if (state !== undefined && !STATES.includes(state)) throw badRequest(`state: is ${STATES.join(', ')}`);
        const query = {
          ...call.query.page(),
          search: call.query.string('search'),
          state: state as RealmFileState['state'] | undefined,
        };
        const states = await files.states.page(query, 'masked');
        return ok({
          isFollowed: files.states.isWatching,
          files: states.map((fileState) => stateResponse(fileState, dir)),
        });
      },
    },
    {
      ...sharedMembers,
      method: 'GET',
      path: '/realm-files/{name}',
      summary: 'The file of a realm: its state and its text; 204 without a body if the realm has no file',
      answers: {
        status: 200,
        body: { ...STATE_SCHEMA, properties: { ...STATE_SCHEMA.properties, isFollowed: IS_FOLLOWED, files: TEXTS } },
      },
      async handle(call) {
        const realm = call.params.name ?? '';
        const fileState = await files.states.stateOfRealm(realm, 'masked');
        if (fileState === undefined) {
          // A realm without a file is no error: the admin console asks about the file of every realm.
          if ((await parts.applying.store.realms.get(realm)) === undefined) throw notFoundError('Realm not found.');
          return undefined;
        }
        const texts = await readFileTexts(fileState.path);
        const maskedTexts = texts.map(({ path, size, text }) =>
          defined({ path: relative(dir, path), size, text: text && maskText(text, registry) }),
        );
        return ok({ isFollowed: files.states.isWatching, ...stateResponse(fileState, dir), files: maskedTexts });
      },
    },
    {
      scope: 'server',
      tag: sharedMembers.tag,
      roles: [],
      forRealmCreators: true,
      method: 'POST',
      path: '/realm-files/check',
      summary: 'Check the document of a new realm as keyhost realm check does; nothing is created',
      documentBody: true,
      bodyLimit: CHECKED_DOCUMENT_LIMIT,
      answers: { status: 200, body: DOCUMENT_REPORT_SCHEMA },
      handle({ admin, body }) {
        if (body === undefined) throw badRequest('Send the document as the body');
        const bytes = body as Buffer;
        if (!admin.isSuperAdmin && bytes.length > CHECKED_DOCUMENT_LIMIT_OF_OTHERS) {
          const errorMessage = `The body has more than ${CHECKED_DOCUMENT_LIMIT_OF_OTHERS} bytes`;
          throw new AdminError(413, { errorMessage });
        }
        return ok(checkDocument(bytes, files));
      },
    },
    {
      ...sharedMembers,
      method: 'POST',
      path: '/realm-files/plan',
      summary: 'Plan a realm file from the request, or the file of the realm if the request has none',
      documentBody: true,
      bodyLimit: DOCUMENT_LIMIT,
      query: {
        realm: { type: 'string', description: 'Realm whose file is used if you send no document.' },
        takeBack: { type: 'boolean', description: 'Also revert edits that the file does not mention.' },
      },
      answers: {
        status: 200,
        body: {
          type: 'object',
          properties: {
            isFollowed: IS_FOLLOWED,
            problems: { ...PROBLEMS_SCHEMA, description: 'Mistakes; a file with mistakes has no plan.' },
            realms: {
              type: 'array',
              items: {
                ...PLAN_SCHEMA,
                properties: {
                  ...PLAN_SCHEMA.properties,
                  isBeside: IS_BESIDE,
                  references: REFERENCES,
                  warnings: WARNINGS,
                },
              },
            },
          },
        },
      },
      async handle({ body, query }) {
        const name = query.string('realm');
        const source = { bytes: body as Buffer | undefined, name };
        const plan = await planSource(source, query.boolean('takeBack') ?? false, parts);
        return ok({ isFollowed: files.states.isWatching, ...plan });
      },
    },
    {
      ...sharedMembers,
      method: 'POST',
      path: '/realm-files/{name}/apply',
      summary:
        'Apply a realm file from the request, or the file of the realm if the request has none; edits are reverted',
      documentBody: true,
      bodyLimit: DOCUMENT_LIMIT,
      query: {
        takeBack: {
          type: 'boolean',
          description: 'Revert edits that the file does not mention. Default: true if you send no document.',
        },
      },
      answers: {
        status: 200,
        body: {
          ...PLAN_SCHEMA,
          properties: {
            ...PLAN_SCHEMA.properties,
            isFollowed: IS_FOLLOWED,
            outcome: { enum: ['applied', 'unchanged'] },
            usersCreated: { type: 'integer' },
            isBeside: IS_BESIDE,
          },
        },
      },
      event: { resourceType: 'REALM', operation: 'UPDATE', detailed: true, ofRealmIn: 'name' },
      async handle({ params: { name = '' }, body, query, setEventDetails }) {
        const bytes = body as Buffer | undefined;
        const revertsEdits = query.boolean('takeBack') ?? bytes === undefined;
        const result = await applySource({ bytes, name }, revertsEdits, setEventDetails, parts);
        return ok({ isFollowed: files.states.isWatching, ...result });
      },
    },
    {
      ...sharedMembers,
      method: 'GET',
      path: '/realm-files/{name}/export',
      summary: 'The live realm as a realm file, as keyhost realm export prints it; without secrets',
      answers: { status: 200, body: 'RealmRepresentation' },
      async handle({ params: { name = '' } }) {
        const content = await exportAsText(name, parts);
        return { status: 200, text: { type: 'application/json;charset=UTF-8', content } };
      },
    },
  ];
}
