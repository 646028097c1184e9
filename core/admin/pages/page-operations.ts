import { methodNotAllowed } from '../../http/realm-dispatch.js';
import type { SessionFactory } from '../../registry/sessions/session-factory.js';
import type { Users } from '../../users/users.js';
import { forbiddenError } from '../admin.js';
import { type AdminAnswer, type AdminCall, type AdminOperation, ok, requireExchange } from '../operation.js';
import { maskConfig } from '../providers/config-secrets.js';
import { PAGING } from '../query.js';
import { enabledPages, hasAnyRole, maySeePage, type RegisteredPage, requirePage } from './find-page.js';
import { requireValidBody } from './page-body.js';
import { callPage, requireOperation } from './page-call.js';
import { findSubject } from './page-subject.js';

export interface PageOperationParts {
  readonly users: Users;
  readonly sessions: SessionFactory;
}

const TAG = 'Pages';
const PAGE = {
  type: 'object',
  properties: {
    provider: { type: 'string', description: 'ID of the page.' },
    plugin: { type: 'object', properties: { name: { type: 'string' }, version: { type: 'string' } } },
    mayManage: { type: 'boolean', description: 'The caller can call operations that change something.' },
    page: { type: 'object', description: 'The declaration of the plugin, with texts in all languages.' },
  },
} as const;
const QUERY = {
  ...PAGING,
  search: { type: 'string' },
  subject: { type: 'string', description: 'ID of the user or the client that the page is about.' },
} as const;

/**
 * Keyhost's own API: `/admin/realms/{realm}/pages`, the pages of plugins and their operations. Each page declares the
 * roles of `realm-management` that it requires.
 */
export function pageOperations(parts: PageOperationParts): AdminOperation[] {
  const sharedMembers = {
    path: '/pages/{provider}/{operation}',
    tag: TAG,
    roles: [],
    notForPlugins: true,
    query: QUERY,
  } as const;
  const writeOperation = {
    ...sharedMembers,
    body: {},
    hasOptionalBody: true,
    answers: { status: 200, body: { type: 'object' } },
    event: { resourceType: 'CUSTOM' },
    handle: (call: AdminCall) => callOperation(parts, call),
  } as const;
  return [
    {
      method: 'GET',
      path: '/pages',
      tag: TAG,
      summary: 'The plugin pages of the realm that the caller can see',
      roles: [],
      notForPlugins: true,
      answers: { status: 200, body: { type: 'array', items: PAGE } },
      handle: (call) =>
        ok(
          enabledPages(call)
            .filter(({ declaration }) => maySeePage(call, declaration))
            .map((page) => toRepresentation(call, page)),
        ),
    },
    {
      ...sharedMembers,
      method: 'GET',
      summary: 'Call an operation of a page that reads: the rows of a table, or the first values of a form',
      answers: { status: 200, body: { type: 'object' } },
      handle: (call) => callOperation(parts, call),
    },
    { ...writeOperation, method: 'POST', summary: 'Call an operation of a page that is a POST' },
    { ...writeOperation, method: 'PUT', summary: 'Call an operation of a page that is a PUT' },
    { ...writeOperation, method: 'DELETE', summary: 'Call an operation of a page that is a DELETE' },
  ];
}

/** Calls an operation of a page. @throws AdminError 400, 403, 404; OAuthError 405 */
async function callOperation({ users, sessions }: PageOperationParts, call: AdminCall): Promise<AdminAnswer> {
  const { admin, realm, params } = call;
  const { ctx } = requireExchange(call);
  const page = requirePage(call);
  const { declaration } = page;
  if (!maySeePage(call, declaration)) throw forbiddenError();
  const { operation: name = '' } = params;
  const operation = requireOperation(declaration, name);
  const method = ctx.method === 'HEAD' ? 'GET' : ctx.method;
  if (operation.method !== method) throw methodNotAllowed(operation.method);
  const isChange = method !== 'GET';
  if (isChange && !hasAnyRole(admin, realm.name, declaration.manage)) throw forbiddenError();
  const subject = await findSubject(users, declaration, call, isChange);
  const body = isChange ? requireValidBody(call.body, operation.body) : undefined;
  if (isChange)
    call.setEventDetails({ eventRepresentation: { subject: subject?.id, body: maskConfig(body, operation.body) } });
  const answer = await callPage(sessions, call, { page, operation: name, subject, body });
  return answer === undefined ? undefined : { status: 200, body: answer, isSecret: true };
}

function toRepresentation({ admin, realm }: AdminCall, { id, plugin: { name, version }, declaration }: RegisteredPage) {
  const mayManage = hasAnyRole(admin, realm.name, declaration.manage);
  return { provider: id, plugin: { name, version }, mayManage, page: declaration };
}
